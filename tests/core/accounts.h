// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <string_view>

namespace jetscope::test {

/// Everything that is said of an opened trace, one line each.
inline QString saidOf(const OpenedTrace &opened)
{
    QStringList lines;
    for (const std::string &line : allNotes(opened))
        lines << QString::fromStdString(line);
    return lines.join('\n');
}

/// Events of kinds that begin like this which are shown.
inline std::uint64_t shownOf(const OpenedTrace &opened, std::string_view kind)
{
    std::uint64_t sum = 0;
    for (const ImportAccount::Row &row : opened.account.rows())
        sum += row.kind.starts_with(kind) && row.reason.empty() ? row.events : 0;
    return sum;
}

/// Events that are left out for a reason with these words.
inline std::uint64_t leftOutOf(const OpenedTrace &opened, std::string_view reason)
{
    std::uint64_t sum = 0;
    for (const ImportAccount::Row &row : opened.account.rows())
        sum += row.reason.find(reason) != std::string::npos ? row.events : 0;
    return sum;
}

} // namespace jetscope::test
