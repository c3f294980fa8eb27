// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweepsummary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace jetscope {

namespace {

/// Between rounds, clocks may differ by this share, and temperatures by so many degrees.
constexpr double kMostClockChange = 0.03;
constexpr double kMostDegrees = 8;

struct Setting {
    const char *key;
    std::string (*text)(const SweepCell &cell);
};

std::string sizeText(const SweepCell &cell)
{
    return cell.width == 0 ? std::string("own") : std::to_string(cell.width) + "x" + std::to_string(cell.height);
}

template <auto member>
std::string nameText(const SweepCell &cell)
{
    return std::string(nameOf(cell.config.*member));
}

template <auto member>
std::string numberText(const SweepCell &cell)
{
    return std::to_string(cell.config.*member);
}

std::string filtersText(const SweepCell &cell)
{
    return filterNames(cell.config.filters, "+");
}

constexpr auto kSettings = std::to_array<Setting>({
    {"size", sizeText},
    {"filters", filtersText},
    {"memory", nameText<&PipelineConfig::memory>},
    {"output", nameText<&PipelineConfig::output>},
    {"sync", nameText<&PipelineConfig::sync>},
    {"wait", nameText<&PipelineConfig::wait>},
    {"cpu-stage", nameText<&PipelineConfig::cpuStage>},
    {"frames-in-flight", numberText<&PipelineConfig::framesInFlight>},
    {"streams", numberText<&PipelineConfig::streams>},
});

std::vector<Setting> varyingSettings(const SweepPlan &plan)
{
    std::vector<Setting> varying;
    for (const Setting &setting : kSettings) {
        const auto differs = [&](const SweepCell &cell) { return setting.text(cell) != setting.text(plan.cells[0]); };
        if (std::any_of(plan.cells.begin(), plan.cells.end(), differs))
            varying.push_back(setting);
    }
    return varying;
}

std::string number(double value, int decimals)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

/// Best first; rows without figures last, in the order of the plan.
void sortRows(std::vector<SweepRow> &rows, SweepMetric metric)
{
    const bool higher = rowOf(metric).method.direction == Direction::HigherIsBetter;
    std::stable_sort(rows.begin(), rows.end(), [&](const SweepRow &a, const SweepRow &b) {
        if (!a.metric || !b.metric || a.failure.empty() != b.failure.empty())
            return (a.metric && a.failure.empty()) && !(b.metric && b.failure.empty());
        return higher ? a.metric->central > b.metric->central : a.metric->central < b.metric->central;
    });
}

void markBest(SweepSummary &summary, const Ranking &ranking)
{
    for (SweepRow &row : summary.rows) {
        row.isBest = row.cell == ranking.best;
        row.isTie = std::find(ranking.ties.begin(), ranking.ties.end(), row.cell) != ranking.ties.end();
    }
    // The best by level need not have the best median, because levels are free of the effects of rounds.
    std::stable_partition(summary.rows.begin(), summary.rows.end(), [](const SweepRow &row) { return row.isBest; });
}

/// "The GPU clock moved by 12 % between rounds" for one counter by its means in each round.
std::string changeOf(const StretchCounter &counter, const std::vector<double> &rounds)
{
    const auto [least, most] = std::minmax_element(rounds.begin(), rounds.end());
    if (counter.unit == "Hz" && *most > 0 && (*most - *least) / *most > kMostClockChange)
        return counter.name + " moved by " + number((*most - *least) / *most * 100, 0)
            + " % between the rounds: fix the clocks (sudo jetson_clocks) and measure again (rule H4)";
    if (counter.unit == "°C" && *most - *least > kMostDegrees)
        return counter.name + " moved by " + number(*most - *least, 0)
            + " °C between the rounds: let the machine reach its temperature first, and measure again";
    return {};
}

} // namespace

std::string machineChange(const StoredSweep &sweep)
{
    struct Sum {
        double sum = 0;
        std::size_t count = 0;
    };
    std::map<std::string, std::map<std::size_t, Sum>> sums;
    std::map<std::string, StretchCounter> counters;
    for (const KeptStretch &kept : sweep.stretches)
        for (const StretchCounter &counter : kept.counters) {
            counters[counter.name] = counter;
            Sum &sum = sums[counter.name][kept.stretch.round];
            sum.sum += counter.mean;
            ++sum.count;
        }
    for (const auto &[name, byRound] : sums) {
        std::vector<double> rounds;
        for (const auto &[round, sum] : byRound)
            rounds.push_back(sum.sum / static_cast<double>(sum.count));
        if (std::string change = changeOf(counters[name], rounds); !change.empty())
            return change;
    }
    return {};
}

SweepSummary summariseSweep(const StoredSweep &sweep, SweepMetric metric)
{
    SweepSummary summary;
    summary.metric = metric;
    const std::vector<Setting> varying = varyingSettings(sweep.plan);
    for (const Setting &setting : varying)
        summary.keys.emplace_back(setting.key);
    std::vector<std::uint64_t> hazards(sweep.plan.cells.size());
    for (const KeptStretch &kept : sweep.stretches)
        hazards[kept.stretch.cell] += kept.hazards;
    std::optional<std::size_t> fewest;
    for (std::size_t cell = 0; cell < sweep.plan.cells.size(); ++cell) {
        SweepRow row;
        row.cell = cell;
        for (const Setting &setting : varying)
            row.values.push_back(setting.text(sweep.plan.cells[cell]));
        row.metric = sweep.result.summary(cell, metric);
        row.failure = sweep.result.failureOf(cell);
        row.hazards = hazards[cell];
        if (row.failure.empty())
            fewest = std::min(fewest.value_or(sweep.result.roundsOf(cell)), sweep.result.roundsOf(cell));
        summary.rows.push_back(std::move(row));
    }
    summary.rounds = fewest.value_or(0);
    sortRows(summary.rows, metric);
    summary.noVerdict = machineChange(sweep);
    if (summary.noVerdict.empty() && summary.rounds < kFewestRounds)
        summary.noVerdict = "a verdict needs " + std::to_string(kFewestRounds) + " rounds, and "
            + std::to_string(summary.rounds) + " are complete";
    if (summary.noVerdict.empty())
        markBest(summary, sweep.result.ranking(metric));
    return summary;
}

std::string rowWords(const SweepRow &row)
{
    std::string words;
    for (const std::string &value : row.values)
        words += (words.empty() ? "" : ", ") + value;
    return words.empty() ? "the only combination" : words;
}

std::string metricText(SweepMetric metric, double value)
{
    const std::string_view unit = rowOf(metric).unit;
    if (unit.empty())
        return number(value * 100, 0) + " %";
    if (unit == "bytes")
        return value < 1e6 ? number(value / 1e3, 1) + " kB" : number(value / 1e6, 2) + " MB";
    return number(value, std::abs(value) < 10 ? 3 : 2) + " " + std::string(unit);
}

std::string sweepWords(const SweepSummary &summary)
{
    const std::string metric(rowOf(summary.metric).label);
    if (summary.rows.empty() || !summary.rows.front().metric)
        return "Nothing was measured.";
    if (!summary.noVerdict.empty())
        return "No verdict: " + summary.noVerdict + ".";
    const SweepRow &best = summary.rows.front();
    std::string words = metric + " is best with " + rowWords(best) + ": "
        + metricText(summary.metric, best.metric->central) + " (±" + metricText(summary.metric, best.metric->noise)
        + ").";
    const auto ties =
        std::count_if(summary.rows.begin(), summary.rows.end(), [](const SweepRow &row) { return row.isTie; });
    if (ties > 1)
        words += " " + std::to_string(ties - 1) + (ties == 2 ? " other combination is" : " other combinations are")
            + " not shown to be worse.";
    const auto worst = std::find_if(summary.rows.rbegin(), summary.rows.rend(),
                                    [](const SweepRow &row) { return row.metric && row.failure.empty(); });
    if (worst != summary.rows.rend() && !worst->isTie && best.metric->central > 0)
        words +=
            " The worst, " + rowWords(*worst) + ", has " + metricText(summary.metric, worst->metric->central) + ".";
    return words;
}

} // namespace jetscope
