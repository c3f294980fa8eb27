// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweep/sweepsummary.h"

#include "core/board/boardlayout.h"
#include "core/board/machinechanges.h"
#include "core/settings/settingtable.h"
#include "core/text/numbertext.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <map>
#include <utility>

namespace jetscope {

namespace {

/// The values of one setting, or of the size, in all cells.
struct CellTexts {
    std::string_view key;
    std::vector<std::string> texts;
};

/// What can differ between cells: their work first.
std::vector<CellTexts> textsOf(std::span<const SweepCell> cells)
{
    std::vector<CellTexts> all;
    const auto add = [&](std::string_view key, auto text) {
        all.push_back({key, {}});
        for (const SweepCell &cell : cells)
            all.back().texts.push_back(text(cell));
    };
    add("size", [](const SweepCell &cell) { return cell.width == 0 ? std::string("own") : cell.size().text(); });
    for (const bool isWork : {true, false})
        for (const SettingRow &row : settingTable())
            if (row.isSwept() && row.isWork() == isWork)
                add(row.key, [&](const SweepCell &cell) { return row.text(cell.config, "+"); });
    return all;
}

/// Best first; rows without figures last, in the order of the plan.
void sortRows(std::vector<SweepRow> &rows, Figure metric)
{
    const bool higher = rowOf(metric).direction == Direction::HigherIsBetter;
    std::stable_sort(rows.begin(), rows.end(), [&](const SweepRow &a, const SweepRow &b) {
        if (!a.metric || !b.metric || a.failure.empty() != b.failure.empty())
            return a.hasFigure() && !b.hasFigure();
        return higher ? a.metric->central > b.metric->central : a.metric->central < b.metric->central;
    });
}

/// "GPU clock moved by 12 % between the rounds: …" for one counter by its means in each unit.
std::string changeOf(const StretchCounter &counter, const std::vector<double> &means, std::string_view between,
                     std::span<const std::string> allNames)
{
    constexpr double kMaxLimitedShare = 0.1; ///< Of the time.
    const auto [least, most] = std::minmax_element(means.begin(), means.end());
    if (counter.name == kPowerModeCounter && *least != *most)
        return "the power mode changed " + std::string(between) + ": set one with sudo nvpmodel -m, and measure again";
    if (isLimitCounter(counter.name) && *most - *least > kMaxLimitedShare)
        return "the clocks were limited by turns (" + counter.name + ") " + std::string(between)
            + ": cool the machine or take a power mode that it can keep, and measure again";
    if (counter.unit == "Hz" && *most > 0 && (*most - *least) / *most > kMaxClockChange)
        return counter.name + " moved by " + fixedText((*most - *least) / *most * 100, 0) + " % " + std::string(between)
            + ": " + lockAdvice(counter.name, allNames) + ", and measure again (rule H4)";
    if (counter.unit == "°C" && *most - *least > kMaxDegrees)
        return counter.name + " moved by " + fixedText(*most - *least, 0) + " °C " + std::string(between)
            + ": let the machine reach its temperature first, and measure again";
    return {};
}

/// "4.20 ms (±0.03 ms)"
std::string withNoise(Figure metric, const Summary &summary)
{
    return figureText(metric, summary.central) + " (±" + figureText(metric, summary.noise) + ")";
}

} // namespace

std::vector<std::vector<StretchCounter>> countersByRound(const StoredSweep &sweep)
{
    struct Sum {
        StretchCounter counter;
        double sum = 0;
        std::size_t count = 0;
    };
    std::map<std::size_t, std::map<std::string, Sum>> rounds;
    for (const KeptStretch &kept : sweep.stretches)
        for (const StretchCounter &counter : kept.counters) {
            Sum &sum = rounds[kept.stretch.round][counter.name];
            sum.counter = counter;
            sum.sum += counter.mean;
            ++sum.count;
        }
    std::vector<std::vector<StretchCounter>> units;
    for (const auto &[round, byName] : rounds) {
        units.emplace_back();
        for (const auto &[name, sum] : byName)
            units.back().push_back({name, sum.counter.unit, sum.sum / static_cast<double>(sum.count)});
    }
    return units;
}

std::string machineChange(std::span<const std::vector<StretchCounter>> units, std::string_view between)
{
    std::map<std::string, std::pair<StretchCounter, std::vector<double>>> byName;
    for (const std::vector<StretchCounter> &unit : units)
        for (const StretchCounter &counter : unit) {
            byName[counter.name].first = counter;
            byName[counter.name].second.push_back(counter.mean);
        }
    std::vector<std::string> names;
    for (const auto &[name, of] : byName)
        names.push_back(name);
    for (const auto &[name, of] : byName)
        if (std::string change = changeOf(of.first, of.second, between, names); !change.empty())
            return change;
    return {};
}

std::string machineChange(const StoredSweep &sweep)
{
    return machineChange(countersByRound(sweep), "between the rounds");
}

std::string whyNoVerdict(const StoredSweep &sweep, std::size_t rounds)
{
    if (std::string moved = machineChange(sweep); !moved.empty())
        return moved;
    if (rounds < kMinRounds)
        return "a verdict needs " + std::to_string(kMinRounds) + " rounds, and " + std::to_string(rounds)
            + (rounds == 1 ? " is complete" : " are complete");
    return {};
}

CellSettings varyingSettings(std::span<const SweepCell> cells)
{
    CellSettings varying;
    varying.values.resize(cells.size());
    for (CellTexts &setting : textsOf(cells)) {
        const auto differs = [&](const std::string &text) { return text != setting.texts[0]; };
        if (std::none_of(setting.texts.begin(), setting.texts.end(), differs))
            continue;
        varying.keys.emplace_back(setting.key);
        for (std::size_t cell = 0; cell < cells.size(); ++cell)
            varying.values[cell].push_back(std::move(setting.texts[cell]));
    }
    return varying;
}

SweepSummary summariseSweep(const StoredSweep &sweep, std::optional<Figure> wanted)
{
    SweepSummary summary;
    const Figure metric = wanted.value_or(sweep.conditions.figure());
    summary.metric = metric;
    CellSettings varying = varyingSettings(sweep.plan.cells);
    summary.keys = std::move(varying.keys);
    std::vector<std::uint64_t> hazards(sweep.plan.cells.size());
    for (const KeptStretch &kept : sweep.stretches)
        hazards[kept.stretch.cell] += kept.hazards;
    for (std::size_t cell = 0; cell < sweep.plan.cells.size(); ++cell) {
        SweepRow row;
        row.cell = cell;
        row.values = std::move(varying.values[cell]);
        row.metric = sweep.result.summary(cell, metric);
        row.failure = sweep.result.failureOf(cell);
        row.hazards = hazards[cell];
        summary.rows.push_back(std::move(row));
    }
    summary.rounds = sweep.result.completeRounds();
    sortRows(summary.rows, metric);
    summary.noVerdict = whyNoVerdict(sweep, summary.rounds);
    if (!summary.noVerdict.empty())
        return summary;
    const Ranking ranking = sweep.result.ranking(metric);
    if (ranking.ties.empty())
        summary.noVerdict = "no combination has this figure in " + std::to_string(kMinRounds) + " rounds"
            + (metric == Figure::Energy ? ": it needs a power that can be read without root, and stretches of "
                                          "0.3 s or more"
                                        : "");
    markTies(summary.rows, ranking.ties);
    return summary;
}

void markTies(std::vector<SweepRow> &rows, std::span<const std::size_t> ties)
{
    for (SweepRow &row : rows) {
        row.isTie = std::find(ties.begin(), ties.end(), row.cell) != ties.end();
        row.isBest = row.isTie && ties.size() == 1;
    }
}

std::string cellWords(const std::vector<std::string> &values)
{
    return values.empty() ? "the only combination" : joined(values, ", ");
}

std::string rankingWords(Figure metric, const SweepConditions &conditions)
{
    const char *const reason = conditions.paced ? " (the default where the source keeps its rate)"
                                                : " (the default for frames as fast as they are taken)";
    return figurePhrase(metric) + (metric == conditions.figure() ? reason : "");
}

std::string sweepWords(const SweepSummary &summary)
{
    const std::string metric = figurePhrase(summary.metric);
    if (summary.rows.empty() || !summary.rows.front().metric)
        return "Nothing was measured.";
    if (!summary.noVerdict.empty())
        return "No verdict: " + summary.noVerdict + ".";
    // The first row may have too few rounds to be ranked.
    const auto isTie = [](const SweepRow &row) { return row.isTie; };
    const auto ranked = std::find_if(summary.rows.begin(), summary.rows.end(), isTie);
    const SweepRow &best = ranked == summary.rows.end() ? summary.rows.front() : *ranked;
    const auto ties = std::count_if(summary.rows.begin(), summary.rows.end(), isTie);
    std::string words =
        "The best " + metric + " is " + withNoise(summary.metric, *best.metric) + ", with " + rowWords(best) + ".";
    if (ties > 1)
        words = "No combination is shown to have the best " + metric + ": it is "
            + withNoise(summary.metric, *best.metric) + " with " + rowWords(best) + ", and " + std::to_string(ties - 1)
            + (ties == 2 ? " other is" : " others are") + " not shown to be worse.";
    const auto worst =
        std::find_if(summary.rows.rbegin(), summary.rows.rend(), [](const SweepRow &row) { return row.hasFigure(); });
    if (worst != summary.rows.rend() && !worst->isTie && best.metric->central > 0)
        words += " The worst, " + rowWords(*worst) + ", has " + withNoise(summary.metric, *worst->metric) + ".";
    return words;
}

} // namespace jetscope
