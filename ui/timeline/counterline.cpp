// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/counterline.h"

#include "ui/style/theme.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kCounterFillAlpha = 60;
constexpr int kCounterRangeAlpha = 110;  ///< Alpha of the range between the extremes, in columns with many values.
constexpr double kStepNsPerColumn = 2e6; ///< Below this, two values in a column are the edge of a step.

constexpr double kLaneDigits[] = {1, 2, 5};

} // namespace

double roundAbove(double value, std::span<const double> digits)
{
    if (!(value > 0))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double digit : digits)
        if (digit * power >= value)
            return digit * power;
    return 10 * power;
}

CounterAxis counterAxis(const CounterTrack &counter)
{
    const auto extremes = counter.extremes();
    if (!extremes)
        return {};
    const double bottom = extremes->first < 0 ? -roundAbove(-extremes->first, kLaneDigits) : 0;
    const double nice = roundAbove(extremes->second, kLaneDigits);
    const double top = counter.info().unit == "%" ? std::max(100.0, nice) : nice;
    return {bottom, std::max(top, bottom + 1e-9)};
}

double partOfAxis(const CounterAxis &axis, double value)
{
    return std::clamp((value - axis.bottom) / (axis.top - axis.bottom), 0.0, 1.0);
}

void CounterLine::paint(TileCanvas &canvas, const TimelineRow &row, const std::vector<CounterColumn> *distant)
{
    const CounterTrack &counter = m_trace.counters()[row.counter];
    if (!distant)
        counter.query({canvas.window().startNs, canvas.nsPerColumn(), canvas.columns()}, m_values);
    const std::vector<CounterColumn> &values = distant ? *distant : m_values;
    canvas.fillTo(canvas.rowOf(row.top + row.height));
    const CounterAxis axis = counterAxis(counter);
    const int top = canvas.rowOf(row.top + kCounterMargin);
    const int bottom = canvas.rowOf(row.top + row.height - kCounterMargin);
    const auto yOf = [&](double value) { return bottom - qRound(partOfAxis(axis, value) * (bottom - top)); };
    const QRgb line = m_theme.accentText.rgb();
    m_strokes.assign(values.size(), {});
    for (std::size_t x = 0; x < values.size(); ++x) {
        const CounterColumn &column = values[x];
        if (column.low > column.high)
            continue;
        // Fill from the lowest to the highest value; the line is the last value in the column.
        Stroke &stroke = m_strokes[x];
        stroke.high = yOf(column.high);
        stroke.low = yOf(column.low);
        const bool step = stroke.low - stroke.high <= 1 || canvas.nsPerColumn() < kStepNsPerColumn;
        stroke.line = !step && std::isfinite(column.last) ? yOf(column.last) : Stroke::kNowhere;
        stroke.range = step ? line : blended(line, canvas.background()[x], kCounterRangeAlpha);
        stroke.fill = blended(line, canvas.background()[x], kCounterFillAlpha);
    }
    for (int y = std::max(top, 0); y <= std::min(bottom, canvas.image().height() - 1); ++y) {
        QRgb *const pixels = canvas.pixels(y);
        for (std::size_t x = 0; x < m_strokes.size(); ++x) {
            const Stroke &stroke = m_strokes[x];
            if (y >= stroke.high)
                pixels[x] = y == stroke.line ? line : y <= stroke.low ? stroke.range : stroke.fill;
        }
    }
}

} // namespace jetscope
