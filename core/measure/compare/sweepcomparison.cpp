// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/sweepcomparison.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace jetscope {

namespace {

/// The rest of the work is that of the combinations, which are compared with their like only.
std::string otherWork(const StoredSweep &a, const StoredSweep &b)
{
    const std::string &of = a.conditions.source;
    const std::string &with = b.conditions.source;
    return of == with ? std::string() : "the source differs (" + of + ", " + with + ")";
}

std::string sweepRefusal(const StoredSweep &a, const StoredSweep &b)
{
    const SweepConditions &of = a.conditions;
    const SweepConditions &with = b.conditions;
    if (of.deviceName != with.deviceName || of.deviceId != with.deviceId)
        return "the device differs (" + of.deviceName + ", " + with.deviceName + "): measure both on the same device";
    if (of.paced != with.paced)
        return "only one of the sweeps let the source keep its rate: measure both with --paced or both without";
    if (of.madeBy != with.madeBy)
        return "the version differs (" + of.madeBy + ", " + with.madeBy
            + "): measure both with the same version of the program";
    std::vector<std::vector<StretchCounter>> rounds = countersByRound(a);
    for (std::vector<StretchCounter> &round : countersByRound(b))
        rounds.push_back(std::move(round));
    return machineChange(rounds, "between the rounds of the two sweeps");
}

ComparedFigure comparedCell(const StoredSweep &a, std::size_t cellA, const StoredSweep &b, std::size_t cellB,
                            Figure metric, std::size_t cells)
{
    ComparisonMethod method = methodOf(metric);
    method.error /= static_cast<double>(std::max<std::size_t>(1, cells));
    const CaptureBatches roundsA = a.result.roundFigures(cellA, metric);
    const CaptureBatches roundsB = b.result.roundFigures(cellB, metric);
    ComparedFigure figure;
    figure.a = a.result.central(cellA, metric);
    figure.b = b.result.central(cellB, metric);
    figure.difference = compareUnpaired(std::span(&roundsA, 1), std::span(&roundsB, 1), method);
    judge(figure, method);
    return figure;
}

std::string failureOfEither(const StoredSweep &a, std::size_t cellA, const StoredSweep &b, std::size_t cellB)
{
    if (const std::string &failure = a.result.failureOf(cellA); !failure.empty())
        return "failed in A: " + failure;
    if (const std::string &failure = b.result.failureOf(cellB); !failure.empty())
        return "failed in B: " + failure;
    return {};
}

double sizeOfChange(const ComparedCell &cell)
{
    const double change = std::abs(cell.figure.change());
    return cell.failure.empty() && std::isfinite(change) ? change : -1;
}

} // namespace

SweepComparison compareSweeps(const StoredSweep &a, const StoredSweep &b, std::optional<Figure> wanted, bool anyway)
{
    SweepComparison comparison;
    const Figure metric = wanted.value_or(a.conditions.figure());
    comparison.metric = metric;
    comparison.otherWork = otherWork(a, b);
    comparison.noVerdict = anyway || comparison.otherWork.empty()
        ? sweepRefusal(a, b)
        : comparison.otherWork + ": measure both with the same --source";
    std::vector<SweepCell> all = a.plan.cells;
    all.insert(all.end(), b.plan.cells.begin(), b.plan.cells.end());
    const CellSettings settings = varyingSettings(all);
    std::map<std::string, std::size_t> cellsOfB;
    for (std::size_t cell = 0; cell < b.plan.cells.size(); ++cell)
        cellsOfB[cellKey(b.plan.cells[cell])] = cell;
    for (std::size_t cell = 0; cell < a.plan.cells.size(); ++cell) {
        const std::string words = cellWords(settings.values[cell]);
        const auto found = cellsOfB.find(cellKey(a.plan.cells[cell]));
        if (found == cellsOfB.end()) {
            comparison.onlyA.push_back(words);
            continue;
        }
        comparison.cells.push_back(
            {cell, found->second, words, {}, failureOfEither(a, cell, b, found->second), a.plan.cells[cell]});
        cellsOfB.erase(found);
    }
    for (std::size_t cell = 0; cell < b.plan.cells.size(); ++cell)
        if (cellsOfB.contains(cellKey(b.plan.cells[cell])))
            comparison.onlyB.push_back(cellWords(settings.values[a.plan.cells.size() + cell]));
    for (ComparedCell &cell : comparison.cells) {
        if (!cell.failure.empty())
            continue;
        cell.figure = comparedCell(a, cell.cellA, b, cell.cellB, metric, comparison.cells.size());
        if (!comparison.noVerdict.empty() && cell.figure.verdict != RowVerdict::Unknown)
            cell.figure.verdict = RowVerdict::NotComparable;
    }
    if (comparison.noVerdict.empty() && comparison.cells.empty())
        comparison.noVerdict = "no combination was measured by both sweeps";
    std::stable_sort(comparison.cells.begin(), comparison.cells.end(),
                     [](const ComparedCell &x, const ComparedCell &y) { return sizeOfChange(x) > sizeOfChange(y); });
    return comparison;
}

std::string comparisonWords(const SweepComparison &comparison)
{
    if (!comparison.noVerdict.empty())
        return "No verdict, because " + comparison.noVerdict + ".";
    const std::string otherWork =
        comparison.otherWork.empty() ? std::string() : "Different work is compared: " + comparison.otherWork + ". ";
    const auto countOf = [&](RowVerdict verdict) {
        return std::count_if(comparison.cells.begin(), comparison.cells.end(),
                             [verdict](const ComparedCell &cell) { return cell.figure.verdict == verdict; });
    };
    const auto better = countOf(RowVerdict::Better);
    const auto worse = countOf(RowVerdict::Worse);
    const auto unchanged = countOf(RowVerdict::Unchanged);
    const FigureRow &row = rowOf(comparison.metric);
    if (better + worse + unchanged == 0)
        return "No verdict, because no combination has enough rounds on both sides: measure at least 4 rounds.";
    std::string words = otherWork + std::string(row.label) + " of " + std::to_string(comparison.cells.size())
        + " combinations: " + std::to_string(better) + " better in B, " + std::to_string(worse) + " worse, "
        + std::to_string(unchanged) + " unchanged.";
    for (const ComparedCell &cell : comparison.cells)
        if (cell.figure.differs())
            return words + " The greatest difference: " + cell.words + ", "
                + figureText(comparison.metric, cell.figure.a) + " and " + figureText(comparison.metric, cell.figure.b)
                + " (" + intervalText(cell.figure, row.unit) + ").";
    return words;
}

} // namespace jetscope
