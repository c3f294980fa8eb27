// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/database.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace jetscope {

/// A column as a non-negative number of type T; empty when it holds anything else.
template <class T>
std::optional<T> fromColumn(const Statement &row, int column)
{
    const std::int64_t value = row.integer(column);
    if (!row.isInteger(column) || value < 0
        || static_cast<std::uint64_t>(value) > std::uint64_t{std::numeric_limits<T>::max()})
        return std::nullopt;
    return static_cast<T>(value);
}

inline Error damagedDatabase(const Database &database)
{
    return Error{{}, 0, database.name() + " is damaged: its content is not valid in a trace; take another copy of it"};
}

/// Calls `take` for every row. If `take` returns false, the file is reported as damaged. The first column of `select`
/// must be the rowid, and it must increase from row to row, as in every valid file. In a damaged file, pages may refer
/// to each other in a loop, and a few pages could then return more rows than fit into memory.
template <class Take>
Status eachRow(Database &database, const std::string &select, Take take)
{
    JETSCOPE_TRY_ASSIGN(Statement row, database.prepare(select));
    std::optional<std::int64_t> last;
    while (row.next()) {
        const std::int64_t id = row.integer(0);
        if ((last && id <= *last) || !take(row))
            return damagedDatabase(database);
        last = id;
    }
    return row.status();
}

} // namespace jetscope
