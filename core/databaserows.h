// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/database.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace jetscope {

/// A column as a number of type T from 0 on; none when it holds anything else.
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
    return Error{{}, 0, database.name() + " is damaged: it holds what no trace can; take another copy of it"};
}

/// Calls `take` for every row until it returns false, which makes the file a damaged one. The first column of `select`
/// is the rowid: it must rise from row to row, as it does in every sound file. In a damaged one pages may lead to each
/// other, and a few of them pass for more rows than fit any memory.
template <class Take>
Status eachRow(Database &database, const std::string &select, Take take)
{
    Result<Statement> prepared = database.prepare(select);
    if (!prepared.ok())
        return prepared.error();
    Statement &row = prepared.value();
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
