// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetreport.h"

#include "core/figures/figuretable.h"
#include "core/fleet/fleetpictures.h"
#include "core/measure/report/htmlparts.h"
#include "core/measure/report/reporttext.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr std::size_t kMostBoardsDrawn = 1000; ///< Of a stratum.
constexpr const char *kKey =
    "<p class=\"key muted\"><i style=\"background:var(--muted)\"></i>old build "
    "<i style=\"background:var(--accent)\"></i>new build "
    "<i style=\"background:var(--bad)\"></i>new build, where it is worse or the board fell out</p>\n";

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

std::string cell(const std::string &text, std::string_view names = {})
{
    return elementHtml("td", text, names);
}

std::string_view verdictText(const FleetResult &result)
{
    return !result.noVerdict.empty()           ? "no verdict"
        : result.verdict == Comparison::Worse  ? "worse"
        : result.verdict == Comparison::Better ? "better"
                                               : "unchanged";
}

/// How far the axis of all changes goes: to the most extreme end of an interval, and at least twice what counts.
double limitOf(const FleetComparison &comparison)
{
    double limit = 2 * FleetMethod{}.least;
    for (const FleetResult &result : comparison.results)
        if (result.noVerdict.empty() && !result.how.byDifference)
            limit = std::max({limit, std::abs(result.atLeast), std::abs(result.atMost)});
    return limit;
}

std::string resultRow(const FleetResult &result, double limit)
{
    std::string row = "<tr>" + cell(nameOfMetric(result.metric)) + cell(std::to_string(result.boards), "n");
    if (!result.noVerdict.empty())
        return row + "<td colspan=\"7\" class=\"muted\">" + htmlText("no verdict: " + result.noVerdict)
            + "</td></tr>\n";
    const bool isBad = result.verdict == Comparison::Worse;
    row += cell(numberText(result, result.a), "n") + cell(numberText(result, result.b), "n")
        + cell(fleetChangeText(result, result.change), isBad ? "n bad" : "n");
    row += "<td class=\"interval\">" + (result.how.byDifference ? std::string() : intervalSvg(result, limit)) + "</td>";
    return row + cell(fleetChangeText(result, result.atLeast) + " to " + fleetChangeText(result, result.atMost), "n")
        + cell(result.q < 0.001 ? "below 0.001" : fixedText(result.q, 3), "n")
        + cell(std::string(verdictText(result)), isBad ? "bad" : "") + "</tr>\n";
}

std::string strataHtml(const FleetComparison &comparison)
{
    std::string rows;
    const double limit = limitOf(comparison);
    const Stratum *last = nullptr;
    for (const FleetResult &result : comparison.results) {
        if (!last || *last != result.stratum)
            rows += "<tr><th scope=\"rowgroup\" colspan=\"9\">" + htmlText(result.stratum.words()) + "</th></tr>\n";
        last = &result.stratum;
        rows += resultRow(result, limit);
    }
    const std::string axis = "-" + fixedText(limit * 100, 0) + " to +" + fixedText(limit * 100, 0) + " %";
    return tableHtml("Strata",
                     {{"Figure"},
                      {"Boards", true},
                      {"Old", true},
                      {"New", true},
                      {"Change", true},
                      {axis},
                      {"95 % interval", true},
                      {"q", true},
                      {"The new build is"}},
                     rows);
}

/// A row for each board of a stratum, with all figures by which it fell out.
std::string stragglersHtml(const FleetComparison &comparison)
{
    struct Found {
        std::string what;
        double z = 0;
        bool isWorse = false;
    };
    std::map<std::pair<Stratum, std::string>, Found> found;
    for (const FleetResult &result : comparison.results)
        for (const Straggler &board : result.fellOut) {
            Found &of = found[{result.stratum, board.board}];
            of.what += (of.what.empty() ? "" : ", ") + nameOfMetric(result.metric) + " "
                + fleetChangeText(result, board.change) + " (all: " + fleetChangeText(result, result.change) + ")";
            of.z = std::max(of.z, std::abs(board.z));
            of.isWorse = of.isWorse || board.verdict == Comparison::Worse;
        }
    if (found.empty())
        return paragraphHtml("None.");
    std::string rows;
    for (const auto &[where, of] : found)
        rows += "<tr>" + cell(where.second, of.isWorse ? "bad" : "") + cell(where.first.words()) + cell(of.what)
            + cell(fixedText(of.z, 1), "n") + "</tr>\n";
    return tableHtml("Boards that fell out", {{"Board"}, {"Stratum"}, {"What changed"}, {"|z|", true}}, rows);
}

/// The results of a stratum, of which the pictures show one: what became worse, else where a board fell out, else the
/// period.
const FleetResult &shownResult(const FleetComparison &comparison, const Stratum &stratum)
{
    const FleetResult *best = nullptr;
    const auto weight = [](const FleetResult &result) {
        return (result.verdict == Comparison::Worse ? 4 : 0) + (result.fellOut.empty() ? 0 : 2)
            + (result.metric == "period" ? 1 : 0);
    };
    for (const FleetResult &result : comparison.results)
        if (result.stratum == stratum && (!best || weight(result) > weight(*best)))
            best = &result;
    return *best;
}

/// Those that are farthest from the others first.
std::string boardsOfStratum(const FleetResult &result, const StratumMetric &shown)
{
    std::vector<double> values;
    for (const auto &[name, runs] : shown.boards)
        for (const auto *side : {&runs.a, &runs.b})
            values.insert(values.end(), side->begin(), side->end());
    const ValueAxis axis = ValueAxis::of(values);
    std::vector<BoardChange> boards = changesOf(shown);
    std::stable_sort(boards.begin(), boards.end(),
                     [](const BoardChange &x, const BoardChange &y) { return std::abs(x.z) > std::abs(y.z); });
    std::string pictures;
    for (std::size_t i = 0; i < std::min(boards.size(), kMostBoardsDrawn); ++i) {
        const BoardChange &board = boards[i];
        const bool isOut = std::any_of(result.fellOut.begin(), result.fellOut.end(),
                                       [&](const Straggler &each) { return each.board == board.board; });
        pictures +=
            boardSvg(board.board, shown.boards.at(board.board), axis, fleetChangeText(result, board.change), isOut);
    }
    std::string caption = nameOfMetric(result.metric) + " of each run, old build left and new build right, from "
        + numberText(result, axis.low) + " to " + numberText(result, axis.high)
        + "; the boards that are farthest from the others come first";
    if (boards.size() > kMostBoardsDrawn)
        caption += "; " + std::to_string(boards.size() - kMostBoardsDrawn) + " more boards are not drawn";
    if (shown.boards.size() > boards.size())
        caption += "; " + counted(shown.boards.size() - boards.size(), "board") + " with too few runs of a build";
    return figureHtml("<div class=\"multiples\">\n" + pictures + "</div>\n", htmlText(caption));
}

std::string boardsHtml(const FleetBoards &boards, const FleetComparison &comparison)
{
    std::string html;
    for (const auto &[stratum, metrics] : boards.strata()) {
        const FleetResult &result = shownResult(comparison, stratum);
        html += subsectionHtml(stratum.words(), boardsOfStratum(result, metrics.at(result.metric)));
    }
    return html.empty() ? html : kKey + html;
}

std::string trendsHtml(const FleetBoards &boards, const FleetComparison &comparison)
{
    std::string html;
    for (const auto &[stratum, metrics] : boards.strata()) {
        const FleetResult &result = shownResult(comparison, stratum);
        const std::string name = nameOfMetric(result.metric);
        html += subsectionHtml(
            stratum.words(),
            figureHtml(trendSvg(metrics.at(result.metric), name + " by day", result.verdict == Comparison::Worse),
                       htmlText(name + ", the median of all runs of a day")));
    }
    return html.empty() ? html : kKey + html;
}

} // namespace

std::string fleetHtml(const FleetBoards &boards, const FleetComparison &comparison, const std::string &program)
{
    std::string html = pageBegin("Fleet: " + comparison.nameA + " and " + comparison.nameB, {});
    html += paragraphHtml(fleetWords(comparison), comparison.isWorse() ? "verdict failed" : "verdict");
    html += factsHtml({{"Old", comparison.nameA + ", " + counted(boards.runs().a, "run")},
                       {"New", comparison.nameB + ", " + counted(boards.runs().b, "run")},
                       {"Notes", joined(comparison.notes, "; ")}});
    if (!comparison.results.empty()) {
        html += sectionHtml("Strata", strataHtml(comparison));
        html += sectionHtml("Boards that fell out", stragglersHtml(comparison));
        html += sectionHtml("Boards", boardsHtml(boards, comparison));
        html += sectionHtml("Days", trendsHtml(boards, comparison));
    }
    return html + pageEnd(program);
}

} // namespace jetscope
