// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/limitbands.h"

#include "core/board/machinechanges.h"
#include "ui/style/text.h"

#include <QStringList>

namespace jetscope {

namespace {

/// The values at the middle of each column, of a trace whose spans are elsewhere.
void readDistant(const DistantSpans &distant, std::size_t counter, const ColumnWindow &window,
                 std::vector<CounterColumn> &columns)
{
    columns.assign(static_cast<std::size_t>(window.count), {});
    for (std::size_t x = 0; x < columns.size(); ++x) {
        const auto offset = static_cast<std::int64_t>((static_cast<double>(x) + 0.5) * window.nsPerColumn);
        if (const auto found = distant.counterAt(static_cast<std::uint32_t>(counter), window.startNs + offset))
            columns[x] = *found;
    }
}

} // namespace

bool showsLimits(const CounterTrack &counter)
{
    return !counter.info().lane && isLimitCounter(counter.info().name);
}

std::vector<LimitBand> limitBands(const Trace &trace, const ColumnWindow &window)
{
    std::vector<char> limited(static_cast<std::size_t>(window.count));
    std::vector<CounterColumn> columns;
    for (std::size_t i = 0; i < trace.counters().size(); ++i) {
        const CounterTrack &counter = trace.counters()[i];
        if (!showsLimits(counter))
            continue;
        if (const DistantSpans *distant = trace.distant())
            readDistant(*distant, i, window, columns);
        else
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
    for (std::size_t i = 0; i < trace.counters().size(); ++i) {
        const CounterTrack &counter = trace.counters()[i];
        if (!showsLimits(counter))
            continue;
        double limit = counter.valueAt(ns).value_or(0);
        if (const DistantSpans *distant = trace.distant())
            limit = distant->counterAt(static_cast<std::uint32_t>(i), ns).value_or(CounterColumn{0, 0, 0}).high;
        if (limit > 0)
            names << toQString(counter.info().name);
    }
    return names.join(QStringLiteral(", "));
}

} // namespace jetscope
