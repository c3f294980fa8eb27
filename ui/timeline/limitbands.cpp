// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/limitbands.h"

#include "core/board/machinechanges.h"
#include "ui/style/text.h"

#include <QStringList>

namespace jetscope {

namespace {

bool showsLimits(const CounterTrack &counter)
{
    return !counter.info().lane && isLimitCounter(counter.info().name);
}

} // namespace

std::vector<LimitBand> limitBands(const Trace &trace, const ColumnWindow &window)
{
    std::vector<char> limited(static_cast<std::size_t>(window.count));
    std::vector<CounterColumn> columns;
    for (const CounterTrack &counter : trace.counters()) {
        if (!showsLimits(counter))
            continue;
        counter.query(window, columns);
        for (std::size_t x = 0; x < limited.size(); ++x)
            limited[x] |= columns[x].low <= columns[x].high && columns[x].high > 0;
    }
    std::vector<LimitBand> bands;
    for (int x = 0; x < window.count; ++x) {
        if (!limited[static_cast<std::size_t>(x)])
            continue;
        if (bands.empty() || bands.back().end != x)
            bands.push_back({x, x});
        ++bands.back().end;
    }
    return bands;
}

QString limitsAt(const Trace &trace, std::int64_t ns)
{
    QStringList names;
    for (const CounterTrack &counter : trace.counters())
        if (showsLimits(counter) && counter.valueAt(ns).value_or(0) > 0)
            names << toQString(counter.info().name);
    return names.join(QStringLiteral(", "));
}

} // namespace jetscope
