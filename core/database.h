// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace jetscope {

/// A prepared SQL statement. Columns count from 0, parameters from 1. Ends before its Database does. One thread.
class Statement {
public:
    /// The next row; false at the end and at an error, which `status` tells apart.
    bool next();
    Status status() const;
    /// Executes a statement without rows and makes it ready for the next parameters; false is an error.
    bool run();
    /// Ready to be executed again.
    void reset();

    int columns() const;
    bool isNull(int column) const;
    bool isInteger(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    /// Valid until the next row.
    std::string_view text(int column) const;
    std::span<const std::byte> blob(int column) const;

    void bind(int parameter, std::int64_t value);
    void bind(int parameter, double value);
    void bindNull(int parameter);
    // What these refer to must live until the statement has run.
    void bind(int parameter, std::string_view text);
    void bind(int parameter, std::span<const std::byte> blob);

    sqlite3_stmt *handle() const { return m_handle.get(); }

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt *handle) const;
    };
    Statement(sqlite3_stmt *handle, const std::string &fileName) : m_handle(handle), m_fileName(&fileName) {}

    std::unique_ptr<sqlite3_stmt, Finalize> m_handle;
    const std::string *m_fileName;
    int m_code = 0;
};

/// An open SQLite file. Every error is a sentence that names the file and the remedy. One thread at a time.
class Database {
public:
    enum class Access { ReadOnly, ReadWrite };
    /// Opens an existing file. A file that is read is not trusted: functions and tables of its schema cannot reach out
    /// of it, and no value of it may be larger than 64 MiB. Errors call it `name` if that is given.
    static Result<Database> open(const std::string &path, Access access, const std::string &name = {});

    /// One or more statements whose rows are of no interest.
    Status run(const std::string &sql);
    Result<Statement> prepare(std::string_view sql);
    /// Whether the file has a table (no view, no virtual one) of this name, with all of these columns (none computed).
    bool hasTable(std::string_view table, std::initializer_list<std::string_view> columns = {});
    bool hasColumn(std::string_view table, std::string_view column);

    /// Whether the file is no longer there under its path: somebody removed or renamed it.
    bool isGone() const;

    /// The name in errors.
    const std::string &name() const { return *m_name; }
    sqlite3 *handle() const { return m_handle.get(); }

private:
    struct Close {
        void operator()(sqlite3 *handle) const;
    };
    Database(sqlite3 *handle, std::string name);

    std::unique_ptr<std::string> m_name; ///< Stays where it is when this moves: statements refer to it.
    std::unique_ptr<sqlite3, Close> m_handle;
};

/// What an SQLite result code means for the user of a file; `detail` is what SQLite says to it.
Error databaseError(int code, const std::string &file, std::string_view detail);

} // namespace jetscope
