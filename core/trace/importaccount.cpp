// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/importaccount.h"

#include <algorithm>
#include <iterator>

namespace jetscope {

ImportAccount::RowId ImportAccount::rowOf(std::string_view kind, std::string_view shownAs, std::string_view reason)
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &row) {
        return row.kind == kind && row.shownAs == shownAs && row.reason == reason;
    });
    if (found != m_rows.end())
        return static_cast<RowId>(found - m_rows.begin());
    m_rows.push_back({std::string(kind), std::string(shownAs), std::string(reason), 0});
    return m_rows.size() - 1;
}

ImportAccount::RowId ImportAccount::rowShown(std::string_view kind, std::string_view shownAs)
{
    return rowOf(kind, shownAs, {});
}

ImportAccount::RowId ImportAccount::rowLeftOut(std::string_view kind, std::string_view reason)
{
    return rowOf(kind, {}, reason);
}

void ImportAccount::move(RowId from, RowId to, std::uint64_t events)
{
    const std::uint64_t moved = std::min(events, m_rows[from].events);
    m_rows[from].events -= moved;
    m_rows[to].events += moved;
}

std::uint64_t ImportAccount::shown() const
{
    std::uint64_t sum = 0;
    for (const Row &row : m_rows)
        sum += row.reason.empty() ? row.events : 0;
    return sum;
}

std::uint64_t ImportAccount::leftOut() const
{
    std::uint64_t sum = 0;
    for (const Row &row : m_rows)
        sum += row.reason.empty() ? 0 : row.events;
    return sum;
}

std::vector<ImportAccount::Row> ImportAccount::rows() const
{
    std::vector<Row> rows;
    std::copy_if(m_rows.begin(), m_rows.end(), std::back_inserter(rows), [](const Row &row) { return row.events > 0; });
    return rows;
}

std::vector<std::string> accountText(const ImportAccount &account)
{
    std::vector<std::string> lines;
    lines.push_back("events: " + std::to_string(account.read()) + " read, " + std::to_string(account.shown())
                    + " shown, " + std::to_string(account.leftOut()) + " left out");
    for (const ImportAccount::Row &row : account.rows())
        if (!row.reason.empty())
            lines.push_back(row.kind + " left out (" + std::to_string(row.events) + "): " + row.reason);
    return lines;
}

void addCount(std::vector<std::string> &notes, std::uint64_t number, std::string_view what)
{
    if (number > 0)
        notes.push_back(std::string(what) + ": " + std::to_string(number));
}

} // namespace jetscope
