// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetmethod.h"

#include "core/figures/averages.h"
#include "core/text/numbertext.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

/// The boards of a stratum that count, by a metric.
struct CountedBoards {
    std::vector<std::string> names;
    std::vector<double> a;
    std::vector<double> b;
    std::vector<double> changes; ///< Logarithms of ratios, or differences.
    std::vector<const BuildValues *> runs;
    std::size_t runsA = 0;
    std::size_t runsB = 0;
    std::size_t withOneRun = 0; ///< Left out.
    std::size_t withoutRatio = 0;
    std::size_t onlyA = 0; ///< Boards with enough runs of A and too few of B.
};

CountedBoards countBoards(const StratumMetric &from, const FleetMethod &method)
{
    CountedBoards boards;
    for (const auto &[name, values] : from.boards) {
        const bool enoughA = values.a.size() >= method.fewestOfBoard;
        const bool enoughB = values.b.size() >= method.fewestOfBoard;
        if (!enoughA || !enoughB) {
            boards.withOneRun += !values.a.empty() && !values.b.empty() ? 1 : 0;
            boards.onlyA += enoughA ? 1 : 0;
            continue;
        }
        const double a = medianOf(values.a);
        const double b = medianOf(values.b);
        if (!from.metric.byDifference && (a <= 0 || b <= 0)) {
            ++boards.withoutRatio;
            continue;
        }
        boards.names.push_back(name);
        boards.runs.push_back(&values);
        boards.a.push_back(a);
        boards.b.push_back(b);
        boards.changes.push_back(from.metric.byDifference ? b - a : std::log(b / a));
        boards.runsA += values.a.size();
        boards.runsB += values.b.size();
    }
    return boards;
}

/// Boards of which the signs, if all agree, are improbable enough.
std::size_t boardsForAVerdict(const FleetMethod &method)
{
    std::size_t boards = method.fewestBoards;
    while (std::ldexp(2.0, -static_cast<int>(boards)) >= method.error)
        ++boards;
    return boards;
}

std::string whyNoVerdict(const CountedBoards &boards, const FleetMethod &method)
{
    const std::size_t count = boards.names.size();
    std::string why;
    if (count < method.fewestBoards)
        why = counted(count, "board") + " ran both builds at least " + std::to_string(method.fewestOfBoard)
            + " times each, and " + std::to_string(boardsForAVerdict(method)) + " are needed";
    else if (std::min(boards.runsA, boards.runsB) < method.fewestRuns)
        why = counted(std::min(boards.runsA, boards.runsB), "run") + " of a build, and "
            + std::to_string(method.fewestRuns) + " are needed";
    else if (const std::size_t needed = boardsForAVerdict(method); count < needed)
        why = "the signs of " + counted(count, "board") + " cannot be improbable enough: " + std::to_string(needed)
            + " are needed";
    if (why.empty())
        return why;
    if (boards.withOneRun > 0)
        why += "; " + counted(boards.withOneRun, "board") + " with one run of a build";
    if (boards.withoutRatio > 0)
        why += "; " + counted(boards.withoutRatio, "board") + " with a value of 0 or less, which has no ratio";
    return why;
}

/// As a share, where changes are logarithms.
double shownChange(const FleetMetric &metric, double change)
{
    return metric.byDifference ? change : std::expm1(change);
}

/// Whether a change is large enough to matter.
bool isLarge(const FleetMetric &metric, double change, double level, const FleetMethod &method)
{
    if (!metric.byDifference)
        return std::abs(change) > std::log1p(method.least);
    const bool isShare = metric.unit.empty();
    return std::abs(change) > std::max(metric.least, isShare ? method.least : method.least * std::abs(level));
}

Comparison verdictOf(const FleetMetric &metric, double change)
{
    return (change > 0) == metric.higherIsBetter ? Comparison::Better : Comparison::Worse;
}

/// Whether the runs of the builds lie apart, but for a quarter of each that may have been disturbed: by at least half
/// of the change that the board has beyond that of all boards.
bool areApart(const BuildValues &runs, const FleetMetric &metric, double common, double away)
{
    std::vector<double> a = runs.a;
    std::vector<double> b = runs.b;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    const std::size_t outOfA = a.size() / 4;
    const std::size_t outOfB = b.size() / 4;
    const double fromA = away > 0 ? a[a.size() - 1 - outOfA] : a[outOfA];
    const double toB = away > 0 ? b[outOfB] : b[b.size() - 1 - outOfB];
    if (!metric.byDifference && (fromA <= 0 || toB <= 0))
        return false;
    const double gap = (metric.byDifference ? toB - fromA : std::log(toB / fromA)) - common;
    return away > 0 ? gap > away / 2 : gap < away / 2;
}

/// Each board; q is its probability until all are known. One that changed too little to matter has none.
std::vector<Straggler> everyBoard(const CountedBoards &boards, const FleetMetric &metric, const FleetMethod &method)
{
    const std::vector<double> z = robustZ(boards.changes);
    const double centre = medianOf(boards.changes);
    std::vector<Straggler> all;
    for (std::size_t i = 0; i < z.size(); ++i) {
        const double away = boards.changes[i] - centre;
        const bool matters = std::abs(z[i]) > method.farOut && isLarge(metric, away, boards.a[i], method)
            && areApart(*boards.runs[i], metric, centre, away);
        all.push_back({boards.names[i], shownChange(metric, boards.changes[i]), z[i], probabilityOfZ(z[i], z.size()),
                       matters ? verdictOf(metric, away) : Comparison::Unchanged});
    }
    return all;
}

/// Leaves those that fell out.
void keepStragglers(std::vector<FleetResult> &results, const FleetMethod &method)
{
    std::vector<double> probabilities;
    for (const FleetResult &result : results)
        for (const Straggler &board : result.fellOut)
            probabilities.push_back(board.q);
    const std::vector<double> rates = falseDiscoveryRates(probabilities);
    std::size_t next = 0;
    for (FleetResult &result : results) {
        for (Straggler &board : result.fellOut)
            board.q = rates[next++];
        std::erase_if(result.fellOut, [&](const Straggler &board) {
            return board.verdict == Comparison::Unchanged || board.q >= method.errorOfBoards;
        });
        std::sort(result.fellOut.begin(), result.fellOut.end(),
                  [](const Straggler &s, const Straggler &t) { return std::abs(s.z) > std::abs(t.z); });
    }
}

/// All but q and the verdict, which need the others.
FleetResult resultOf(const Stratum &stratum, const std::string &name, const StratumMetric &from,
                     const FleetMethod &method)
{
    const CountedBoards boards = countBoards(from, method);
    FleetResult result;
    result.stratum = stratum;
    result.metric = name;
    result.how = from.metric;
    result.boards = boards.names.size();
    result.runsA = boards.runsA;
    result.runsB = boards.runsB;
    result.noVerdict = whyNoVerdict(boards, method);
    result.isLost = !result.noVerdict.empty() && boards.onlyA + boards.names.size() >= boardsForAVerdict(method);
    if (!result.noVerdict.empty())
        return result;
    result.a = medianOf(boards.a);
    result.b = medianOf(boards.b);
    result.change = shownChange(from.metric, medianOf(boards.changes));
    const OrderInterval interval = medianInterval(boards.changes).value();
    result.atLeast = shownChange(from.metric, interval.low);
    result.atMost = shownChange(from.metric, interval.high);
    result.p = signTest(boards.changes);
    result.fellOut = everyBoard(boards, from.metric, method);
    const bool excludesZero = interval.low > 0 || interval.high < 0; // Boards that did not change have no sign.
    if (excludesZero && isLarge(from.metric, medianOf(boards.changes), result.a, method))
        result.verdict = verdictOf(from.metric, result.change);
    return result;
}

std::string commitsText(const std::set<std::string> &commits)
{
    constexpr std::size_t kMost = 5;
    std::vector<std::string> names;
    for (const std::string &commit : commits)
        if (names.size() < kMost)
            names.push_back(commit.empty() ? "(none)" : commit);
    return joined(names, ", ") + (commits.size() > kMost ? ", …" : "");
}

/// Why nothing can be said, however many strata there are.
std::string whyNothing(const FleetBoards &boards, const FleetComparison &comparison)
{
    if (boards.commits().empty())
        return "the folder has no runs: nothing was recorded";
    for (const auto &[runs, side] : {std::pair{boards.runs().a, &boards.a()}, std::pair{boards.runs().b, &boards.b()}})
        if (runs == 0) {
            std::string why = "no run that counts is of " + side->text();
            for (const auto &[state, left] : boards.leftOut())
                why += "; of " + counted(left.size(), "run") + " " + std::string(whyLeftOut(state));
            return why + "; the folder has runs of the commits " + commitsText(boards.commits());
        }
    if (comparison.results.empty())
        return "no row of the runs of both builds has a figure that is compared";
    const auto judged = [](const FleetResult &result) { return result.noVerdict.empty(); };
    if (std::none_of(comparison.results.begin(), comparison.results.end(), judged))
        return comparison.results.size() == 1 ? comparison.results.front().noVerdict
                                              : "no stratum has enough boards that ran both builds: "
                + comparison.results.front().stratum.words() + ": " + comparison.results.front().noVerdict;
    const auto lost = std::find_if(comparison.results.begin(), comparison.results.end(),
                                   [](const FleetResult &result) { return result.isLost; });
    if (lost != comparison.results.end())
        return lost->metric + " of " + lost->stratum.words()
            + " has enough boards with the old build and too few with the new one";
    return {};
}

std::vector<std::string> notesOf(const FleetBoards &boards, const FleetComparison &comparison)
{
    std::vector<std::string> notes;
    for (const auto &[state, runs] : boards.leftOut())
        notes.push_back("of " + counted(runs.size(), "run") + " " + std::string(whyLeftOut(state)) + ": left out");
    if (const std::size_t runs = boards.runs().unknown; runs > 0)
        notes.push_back(counted(runs, "run") + " of machines that do not say whether their clocks are fixed");
    std::set<std::string> without;
    for (const FleetResult &result : comparison.results)
        if (!result.noVerdict.empty())
            without.insert(result.stratum.words() + ": " + result.noVerdict);
    const bool isOnly = comparison.results.size() == 1; // Then the reason stands for the whole.
    for (const std::string &stratum : without)
        if (!isOnly && comparison.noVerdict.find(stratum) == std::string::npos) // What was not said already.
            notes.push_back("no verdict for " + stratum);
    return notes;
}

} // namespace

bool FleetComparison::isWorse() const
{
    return std::any_of(results.begin(), results.end(), [](const FleetResult &result) {
        return result.verdict == Comparison::Worse
            || std::any_of(result.fellOut.begin(), result.fellOut.end(),
                           [](const Straggler &board) { return board.verdict == Comparison::Worse; });
    });
}

std::vector<BoardChange> changesOf(const StratumMetric &metric, const FleetMethod &method)
{
    const CountedBoards boards = countBoards(metric, method);
    const std::vector<double> z = robustZ(boards.changes);
    std::vector<BoardChange> changes;
    for (std::size_t i = 0; i < z.size(); ++i)
        changes.push_back(
            {boards.names[i], boards.a[i], boards.b[i], shownChange(metric.metric, boards.changes[i]), z[i]});
    return changes;
}

FleetComparison compareFleet(const FleetBoards &boards, const FleetMethod &method)
{
    FleetComparison comparison;
    comparison.nameA = boards.a().text();
    comparison.nameB = boards.b().text();
    for (const auto &[stratum, metrics] : boards.strata())
        for (const auto &[name, metric] : metrics)
            comparison.results.push_back(resultOf(stratum, name, metric, method));
    std::vector<double> probabilities;
    for (const FleetResult &result : comparison.results)
        if (result.noVerdict.empty())
            probabilities.push_back(result.p);
    const std::vector<double> rates = falseDiscoveryRates(probabilities);
    std::size_t next = 0;
    for (FleetResult &result : comparison.results)
        if (result.noVerdict.empty()) {
            result.q = rates[next++];
            if (result.q >= method.error)
                result.verdict = Comparison::Unchanged;
        }
    keepStragglers(comparison.results, method);
    comparison.noVerdict = whyNothing(boards, comparison);
    comparison.notes = notesOf(boards, comparison);
    return comparison;
}

std::string fleetChangeText(const FleetResult &result, double change)
{
    if (!result.how.byDifference)
        return signedText(change * 100, 1) + " %";
    if (result.how.unit.empty())
        return signedText(change * 100, 1) + " points";
    return signedText(change, 3) + " " + result.how.unit;
}

std::string fleetWords(const FleetComparison &comparison)
{
    std::vector<std::string> worse;
    std::vector<std::string> better;
    std::set<std::string> out;
    std::size_t judged = 0;
    for (const FleetResult &result : comparison.results) {
        judged += result.noVerdict.empty() ? 1 : 0;
        if (result.verdict != Comparison::Unchanged)
            (result.verdict == Comparison::Worse ? worse : better)
                .push_back(result.metric + " " + fleetChangeText(result, result.change) + " (" + result.stratum.words()
                           + ", " + counted(result.boards, "board") + ")");
        for (const Straggler &board : result.fellOut)
            if (board.verdict == Comparison::Worse)
                out.insert(board.board);
    }
    if (!comparison.noVerdict.empty() && worse.empty() && out.empty())
        return "There is no verdict: " + comparison.noVerdict + ".";
    std::string words = worse.empty()
        ? comparison.nameB + " made no stratum worse than " + comparison.nameA + " (" + counted(judged, "comparison")
            + ")."
        : comparison.nameB + " is worse than " + comparison.nameA + ": " + joined(worse, ", ") + ".";
    if (!out.empty())
        words +=
            " Boards that became worse than the rest of their stratum: " + joined({out.begin(), out.end()}, ", ") + ".";
    if (!better.empty())
        words += " Better: " + joined(better, ", ") + ".";
    if (!comparison.noVerdict.empty())
        words += " There is no verdict on the rest: " + comparison.noVerdict + ".";
    return words;
}

} // namespace jetscope
