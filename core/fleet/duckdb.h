// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A text as SQL has it, in single quotes.
std::string sqlText(std::string_view text);

/// A row of a result, while it is taken.
struct DuckRow {
    std::string_view text;                      ///< The first column; empty: NULL.
    std::vector<std::span<const double>> lists; ///< The others, in order; empty: NULL.
};

/// DuckDB's library (libduckdb.so, 1.x), if there is one: SQL over the files of a fleet on all processors. It is looked
/// for when it is first needed, where the linker looks. A database is in memory only, and may read nothing but one
/// folder. One thread at a time.
class DuckDb {
public:
    /// Whether there is a library that can be used; its version, or why not. Loads it.
    static Result<std::string> version();
    /// A database that reads below `folder`.
    static Result<DuckDb> open(const std::string &folder);
    ~DuckDb();
    DuckDb(DuckDb &&) noexcept;
    DuckDb &operator=(DuckDb &&) noexcept = delete;

    /// Runs one statement that has no rows of interest.
    Status run(const std::string &sql);
    /// Runs one SELECT of a text. `take` ends the query by an error, which is returned.
    Status query(const std::string &sql, const std::function<Status(std::string_view text)> &take);
    /// Runs one SELECT of a text and columns of DOUBLE[], without NULL in the lists.
    Status queryLists(const std::string &sql, const std::function<Status(const DuckRow &row)> &take);

private:
    struct Parts;
    using TakeRow = std::function<Status(const DuckRow &row)>;
    explicit DuckDb(std::unique_ptr<Parts> parts);

    std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope
