// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetpictures.h"

#include "core/figures/averages.h"
#include "core/measure/report/htmlparts.h"
#include "core/measure/report/reportpictures.h"
#include "core/measure/report/reporttext.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kIntervalWidth = 150;
constexpr double kIntervalHeight = 16;
constexpr double kCellWidth = 120;
constexpr double kCellHeight = 52;
constexpr double kTrendLeft = 56;
constexpr double kTrendWide = 760;
constexpr double kTrendHigh = 150;
constexpr double kEdge = 6;
constexpr const char *kOldColor = "var(--muted)";
constexpr const char *kNewColor = "var(--accent)";
constexpr const char *kBadColor = "var(--bad)";

std::string svgOpen(double width, double height, const std::string &title)
{
    return "<svg viewBox=\"0 0 " + svgNumber(width) + " " + svgNumber(height) + "\" role=\"img\">"
        + elementHtml("title", title);
}

std::string rectSvg(double x, double y, double width, double height)
{
    return "<rect class=\"band\" x=\"" + svgNumber(x) + "\" y=\"" + svgNumber(y) + "\" width=\"" + svgNumber(width)
        + "\" height=\"" + svgNumber(height) + "\"/>";
}

std::string dotSvg(double x, double y, double radius, const char *color)
{
    return "<circle cx=\"" + svgNumber(x) + "\" cy=\"" + svgNumber(y) + "\" r=\"" + svgNumber(radius) + "\" fill=\""
        + color + "\"/>";
}

std::string lineSvg(double x1, double y1, double x2, double y2, const char *color, double width)
{
    return "<line x1=\"" + svgNumber(x1) + "\" y1=\"" + svgNumber(y1) + "\" x2=\"" + svgNumber(x2) + "\" y2=\""
        + svgNumber(y2) + "\" stroke=\"" + color + "\" stroke-width=\"" + svgNumber(width) + "\"/>";
}

std::string textSvg(double x, double y, const char *anchor, const std::string &text, const char *color = nullptr)
{
    return "<text x=\"" + svgNumber(x) + "\" y=\"" + svgNumber(y) + "\" text-anchor=\"" + anchor + "\""
        + (color ? std::string(" style=\"fill:") + color + "\"" : std::string(" class=\"m\"")) + ">" + htmlText(text)
        + "</text>";
}

/// One build of a board: its runs side by side, in their order, and their median.
std::string runsSvg(const std::vector<double> &values, const ValueAxis &axis, double left, double right,
                    const char *color)
{
    if (values.empty())
        return {};
    const auto y = [&](double value) { return kCellHeight - kEdge - axis.share(value) * (kCellHeight - 2 * kEdge); };
    const double step = (right - left) / static_cast<double>(values.size());
    std::string svg;
    for (std::size_t i = 0; i < values.size(); ++i)
        svg += dotSvg(left + (static_cast<double>(i) + 0.5) * step, y(values[i]), 1.8, color);
    const double median = y(medianOf(values));
    return svg + lineSvg(left, median, right, median, color, 1.2);
}

/// The medians of a build, joined from day to day.
std::string seriesSvg(const std::vector<std::pair<double, double>> &points, const char *color)
{
    std::string path;
    std::string dots;
    for (const auto &[x, y] : points) {
        path += (path.empty() ? "M" : "L") + svgNumber(x) + " " + svgNumber(y);
        dots += dotSvg(x, y, 3, color);
    }
    return path.empty()
        ? std::string()
        : "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + color + "\" stroke-width=\"1.5\"/>" + dots;
}

/// As many digits as tell the ends of the axis apart.
std::string axisText(double value, const ValueAxis &axis, const std::string &unit)
{
    const double range = axis.high - axis.low;
    const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(range))), 0, 6);
    return fixedText(value, decimals) + (unit.empty() ? "" : " " + unit);
}

} // namespace

ValueAxis ValueAxis::of(const std::vector<double> &values)
{
    ValueAxis axis{percentileOfUnsorted(values, 0.01), percentileOfUnsorted(values, 0.99)};
    if (!(axis.high > axis.low))
        axis = {axis.low - 1, axis.low + 1};
    return axis;
}

double ValueAxis::share(double value) const
{
    return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

std::string intervalSvg(const FleetResult &result, double limit)
{
    const auto x = [&](double change) {
        return kIntervalWidth / 2 * (1 + std::clamp(change / limit, -1.0, 1.0) * 0.96);
    };
    const char *const color = result.verdict == Comparison::Worse ? kBadColor
        : result.verdict == Comparison::Better                    ? "var(--good)"
                                                                  : kOldColor;
    const double least = FleetMethod{}.least;
    constexpr double kMiddle = kIntervalHeight / 2;
    std::string svg = svgOpen(kIntervalWidth, kIntervalHeight,
                              fleetChangeText(result, result.change) + ", " + fleetChangeText(result, result.atLeast)
                                  + " to " + fleetChangeText(result, result.atMost));
    svg += rectSvg(x(-least), 0, x(least) - x(-least), kIntervalHeight);
    svg += lineSvg(x(0), 0, x(0), kIntervalHeight, "var(--border)", 1);
    svg += lineSvg(x(result.atLeast), kMiddle, x(result.atMost), kMiddle, color, 2);
    return svg + dotSvg(x(result.change), kMiddle, 3.5, color) + "</svg>";
}

std::string boardSvg(const std::string &board, const BuildValues &runs, const ValueAxis &axis,
                     const std::string &change, bool isOut)
{
    constexpr double kHalf = kCellWidth / 2;
    const char *const color = isOut ? kBadColor : kNewColor;
    std::string svg = svgOpen(kCellWidth, kCellHeight + 14, board + ": " + change);
    svg += rectSvg(0, 0, kCellWidth, kCellHeight);
    svg += runsSvg(runs.a, axis, kEdge, kHalf - 4, kOldColor)
        + runsSvg(runs.b, axis, kHalf + 4, kCellWidth - kEdge, color);
    svg += textSvg(0, kCellHeight + 11, "start", shortenedText(board, 11), isOut ? kBadColor : "var(--text)");
    return svg + textSvg(kCellWidth, kCellHeight + 11, "end", change, isOut ? kBadColor : nullptr) + "</svg>\n";
}

std::string trendSvg(const StratumMetric &metric, const std::string &title, bool isWorse)
{
    std::vector<double> medians;
    for (const auto &[day, runs] : metric.days)
        for (const auto *side : {&runs.a, &runs.b})
            if (!side->empty())
                medians.push_back(medianOf(*side));
    if (medians.empty())
        return {};
    const ValueAxis axis = ValueAxis::of(medians);
    const auto y = [&](double value) { return kTrendHigh - kEdge - axis.share(value) * (kTrendHigh - 2 * kEdge); };
    const double step = (kTrendWide - kTrendLeft) / static_cast<double>(metric.days.size());
    std::vector<std::pair<double, double>> a;
    std::vector<std::pair<double, double>> b;
    double x = kTrendLeft + step / 2;
    for (const auto &[day, runs] : metric.days) {
        if (!runs.a.empty())
            a.emplace_back(x, y(medianOf(runs.a)));
        if (!runs.b.empty())
            b.emplace_back(x, y(medianOf(runs.b)));
        x += step;
    }
    std::string svg = svgOpen(kTrendWide, kTrendHigh + 16, title);
    svg += rectSvg(kTrendLeft, 0, kTrendWide - kTrendLeft, kTrendHigh);
    for (const double value : {axis.low, (axis.low + axis.high) / 2, axis.high}) {
        svg += lineSvg(kTrendLeft, y(value), kTrendWide, y(value), "var(--border)", 1);
        svg += textSvg(kTrendLeft - 4, y(value) + 4, "end", axisText(value, axis, metric.metric.unit));
    }
    svg += seriesSvg(a, kOldColor) + seriesSvg(b, isWorse ? kBadColor : kNewColor);
    svg += textSvg(kTrendLeft, kTrendHigh + 12, "start", metric.days.begin()->first);
    if (metric.days.size() > 1)
        svg += textSvg(kTrendWide, kTrendHigh + 12, "end", metric.days.rbegin()->first);
    return svg + "</svg>\n";
}

} // namespace jetscope
