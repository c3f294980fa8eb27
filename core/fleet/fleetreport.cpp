// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetreport.h"

#include "core/figures/averages.h"
#include "core/figures/figuretable.h"
#include "core/measure/report/htmlparts.h"
#include "core/measure/report/reportpictures.h"
#include "core/measure/report/reporttext.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr std::size_t kMostBoardsDrawn = 1000; ///< Of a stratum.
constexpr double kBoardWidth = 92;
constexpr double kBoardHeight = 40;
constexpr double kTrendWidth = 560;
constexpr double kTrendHeight = 120;
constexpr double kEdge = 6;

std::string nameOfMetric(const std::string &metric)
{
    for (const FigureRow &row : figureTable())
        if (row.name == metric)
            return std::string(row.label);
    return metric;
}

std::string numberText(const FleetResult &result, double value)
{
    for (const FigureRow &row : figureTable())
        if (row.name == result.metric)
            return figureText(row.figure, value);
    return fixedText(value, 3) + " " + result.how.unit;
}

std::string cell(const std::string &text, bool isNumber = false, bool isBad = false)
{
    const std::string names = std::string(isNumber ? "n" : "") + (isBad ? " bad" : "");
    return elementHtml("td", text, names);
}

std::string_view verdictText(const FleetResult &result)
{
    return !result.noVerdict.empty()           ? "no verdict"
        : result.verdict == Comparison::Worse  ? "worse"
        : result.verdict == Comparison::Better ? "better"
                                               : "unchanged";
}

std::string strataHtml(const FleetComparison &comparison)
{
    std::string rows;
    for (const FleetResult &result : comparison.results) {
        rows += "<tr>" + cell(result.stratum.words()) + cell(nameOfMetric(result.metric))
            + cell(std::to_string(result.boards), true);
        if (result.noVerdict.empty())
            rows += cell(numberText(result, result.a), true) + cell(numberText(result, result.b), true)
                + cell(fleetChangeText(result, result.change), true)
                + cell(fleetChangeText(result, result.atLeast) + " to " + fleetChangeText(result, result.atMost))
                + cell(result.q < 0.001 ? "below 0.001" : fixedText(result.q, 3), true)
                + cell(std::string(verdictText(result)), false, result.verdict == Comparison::Worse);
        else
            rows += "<td colspan=\"6\">" + htmlText("no verdict: " + result.noVerdict) + "</td>";
        rows += "</tr>\n";
    }
    return tableHtml("Strata",
                     {{"Stratum"},
                      {"Figure"},
                      {"Boards", true},
                      {"Old", true},
                      {"New", true},
                      {"Change", true},
                      {"95 % interval"},
                      {"q", true},
                      {"The new build is"}},
                     rows);
}

std::string stragglersHtml(const FleetComparison &comparison)
{
    std::string rows;
    for (const FleetResult &result : comparison.results)
        for (const Straggler &board : result.fellOut)
            rows += "<tr>" + cell(board.board) + cell(result.stratum.words()) + cell(nameOfMetric(result.metric))
                + cell(fleetChangeText(result, board.change), true) + cell(fleetChangeText(result, result.change), true)
                + cell(fixedText(board.z, 1), true)
                + cell(board.verdict == Comparison::Worse ? "worse" : "better", false,
                       board.verdict == Comparison::Worse)
                + "</tr>\n";
    if (rows.empty())
        return paragraphHtml("None.");
    return tableHtml(
        "Boards that fell out",
        {{"Board"}, {"Stratum"}, {"Figure"}, {"Change", true}, {"Of the stratum", true}, {"z", true}, {"It became"}},
        rows);
}

/// The metric that pictures show.
const std::string &shownMetric(const std::map<std::string, StratumMetric> &metrics)
{
    const auto period = metrics.find("period");
    return period == metrics.end() ? metrics.begin()->first : period->first;
}

struct Scale {
    double low = 0;
    double high = 1;

    double at(double value, double height) const
    {
        const double share = std::clamp((value - low) / (high - low), 0.0, 1.0);
        return height - kEdge - share * (height - 2 * kEdge);
    }
};

Scale scaleOf(const std::vector<double> &values)
{
    Scale scale{percentileOfUnsorted(values, 0.01), percentileOfUnsorted(values, 0.99)};
    if (!(scale.high > scale.low))
        scale = {scale.low - 1, scale.low + 1};
    return scale;
}

std::string dot(double x, double y, const char *colour)
{
    return "<circle cx=\"" + svgNumber(x) + "\" cy=\"" + svgNumber(y) + "\" r=\"2\" fill=\"" + colour + "\"/>";
}

std::string svgBegin(double width, double height, const std::string &title)
{
    return "<svg viewBox=\"0 0 " + svgNumber(width) + " " + svgNumber(height) + "\" width=\"" + svgNumber(width)
        + "\" height=\"" + svgNumber(height) + "\" role=\"img\">" + elementHtml("title", title);
}

/// Runs of the old build on the left, of the new one on the right; all boards of a stratum have one scale.
std::string boardSvg(const std::string &name, const BuildValues &runs, const Scale &scale, bool isOut)
{
    std::string svg = svgBegin(kBoardWidth, kBoardHeight + 12, name);
    svg += "<rect width=\"" + svgNumber(kBoardWidth) + "\" height=\"" + svgNumber(kBoardHeight)
        + "\" fill=\"var(--band)\"/>";
    for (const double value : runs.a)
        svg += dot(kBoardWidth / 3, scale.at(value, kBoardHeight), "var(--muted)");
    for (const double value : runs.b)
        svg += dot(2 * kBoardWidth / 3, scale.at(value, kBoardHeight), isOut ? "var(--bad)" : "var(--accent)");
    svg += "<text x=\"2\" y=\"" + svgNumber(kBoardHeight + 10) + "\" font-size=\"9\" fill=\""
        + (isOut ? "var(--bad)" : "var(--muted)") + "\">" + htmlText(shortenedText(name, 16)) + "</text>";
    return svg + "</svg>\n";
}

std::string boardsHtml(const FleetBoards &boards, const FleetComparison &comparison)
{
    std::set<std::string> out;
    for (const FleetResult &result : comparison.results)
        for (const Straggler &board : result.fellOut)
            out.insert(board.board);
    std::string html;
    for (const auto &[stratum, metrics] : boards.strata()) {
        const std::string &metric = shownMetric(metrics);
        const StratumMetric &shown = metrics.at(metric);
        std::vector<double> values;
        for (const auto &[name, runs] : shown.boards)
            for (const auto *side : {&runs.a, &runs.b})
                values.insert(values.end(), side->begin(), side->end());
        const Scale scale = scaleOf(values);
        std::string pictures;
        std::size_t drawn = 0;
        for (const auto &[name, runs] : shown.boards)
            if (drawn++ < kMostBoardsDrawn)
                pictures += boardSvg(name, runs, scale, out.contains(name));
        const std::string caption = nameOfMetric(metric) + ", old build on the left and new on the right, from "
            + fixedText(scale.low, 3) + " to " + fixedText(scale.high, 3)
            + (drawn > kMostBoardsDrawn ? "; " + std::to_string(drawn - kMostBoardsDrawn) + " more boards are not drawn"
                                        : "");
        html += subsectionHtml(stratum.words(), figureHtml(pictures, htmlText(caption)));
    }
    return html;
}

/// The median of each day, of both builds.
std::string trendSvg(const StratumMetric &metric, const std::string &title)
{
    std::vector<double> medians;
    for (const auto &[day, runs] : metric.days)
        for (const auto *side : {&runs.a, &runs.b})
            if (!side->empty())
                medians.push_back(medianOf(*side));
    const Scale scale = scaleOf(medians);
    std::string svg = svgBegin(kTrendWidth, kTrendHeight + 14, title);
    svg += "<rect width=\"" + svgNumber(kTrendWidth) + "\" height=\"" + svgNumber(kTrendHeight)
        + "\" fill=\"var(--band)\"/>";
    const double step = (kTrendWidth - 4 * kEdge) / static_cast<double>(std::max<std::size_t>(1, metric.days.size()));
    double x = 2 * kEdge + step / 2;
    for (const auto &[day, runs] : metric.days) {
        if (!runs.a.empty())
            svg += dot(x, scale.at(medianOf(runs.a), kTrendHeight), "var(--muted)");
        if (!runs.b.empty())
            svg += dot(x, scale.at(medianOf(runs.b), kTrendHeight), "var(--accent)");
        x += step;
    }
    const auto label = [&](double at, const char *anchor, const std::string &day) {
        return "<text x=\"" + svgNumber(at) + "\" y=\"" + svgNumber(kTrendHeight + 11)
            + "\" font-size=\"10\" text-anchor=\"" + anchor + "\" fill=\"var(--muted)\">" + htmlText(day) + "</text>";
    };
    if (!metric.days.empty())
        svg += label(0, "start", metric.days.begin()->first) + label(kTrendWidth, "end", metric.days.rbegin()->first);
    return svg + "</svg>\n";
}

std::string trendsHtml(const FleetBoards &boards)
{
    std::string html;
    for (const auto &[stratum, metrics] : boards.strata()) {
        const std::string &metric = shownMetric(metrics);
        html += subsectionHtml(stratum.words(), trendSvg(metrics.at(metric), nameOfMetric(metric) + " by day"));
    }
    return html;
}

} // namespace

std::string fleetHtml(const FleetBoards &boards, const FleetComparison &comparison, const std::string &program)
{
    std::string html = pageBegin("Fleet: " + comparison.nameA + " and " + comparison.nameB, {});
    html += paragraphHtml(fleetWords(comparison), comparison.isWorse() ? "verdict bad" : "verdict");
    html += factsHtml({{"Old", comparison.nameA + ", " + counted(boards.runs().a, "run")},
                       {"New", comparison.nameB + ", " + counted(boards.runs().b, "run")},
                       {"Notes", joined(comparison.notes, "; ")}});
    html += sectionHtml("Strata", strataHtml(comparison));
    html += sectionHtml("Boards that fell out", stragglersHtml(comparison));
    html += sectionHtml("Boards", boardsHtml(boards, comparison));
    html += sectionHtml("Days", trendsHtml(boards));
    return html + pageEnd(program);
}

} // namespace jetscope
