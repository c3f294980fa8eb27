// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/sweepreport.h"

#include "core/measure/report/reporttext.h"
#include "core/settings/settingtable.h"
#include "core/system/temporaryfolder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <span>

namespace jetscope {

namespace {

/// Size and filters, and what else of the work differs within the sweep.
std::string workloadTitle(const SweepCell &cell, std::span<const SweepCell> all)
{
    std::string title =
        (cell.width == 0 ? "the source's own size" : cell.size().text()) + ", " + filterNames(cell.config.filters, "+");
    for (const SettingRow &row : settingTable()) {
        const auto differs = [&](const SweepCell &other) {
            return row.work.of(other.config) != row.work.of(cell.config);
        };
        if (row.isWork() && row.key != "filters" && std::any_of(all.begin(), all.end(), differs))
            title += ", " + std::string(row.shortLabel) + " " + row.work.of(cell.config);
    }
    return title;
}

/// Settings within a workload that are those of `run`. Only varied settings count: the others were given by the user.
bool isStandard(const SweepCell &cell, const std::vector<std::string> &keys, const PipelineConfig &standard)
{
    return std::all_of(keys.begin(), keys.end(), [&](const std::string &key) {
        const SettingRow *row = settingRow(key);
        return !row || row->isWork() || row->text(cell.config) == row->text(standard);
    });
}

std::string wordsOf(const std::vector<std::string> &keys, const PipelineConfig &config)
{
    std::string words;
    for (const SettingRow &row : settingTable())
        if (!row.phrase.empty() && std::find(keys.begin(), keys.end(), row.key) != keys.end())
            words += (words.empty() ? "" : ", ") + row.words(config);
    return words;
}

/// Ranks the rows of a workload among themselves.
void rankRows(const StoredSweep &sweep, SweepSummary &summary)
{
    std::vector<std::vector<double>> figures(summary.rows.size());
    for (std::size_t i = 0; i < summary.rows.size(); ++i)
        if (summary.rows[i].failure.empty())
            figures[i] = sweep.result.roundFigures(summary.rows[i].cell, summary.metric);
    markTies(summary.rows, {});
    if (!summary.noVerdict.empty())
        return;
    std::vector<std::size_t> ties = rankCells(figures, methodOf(summary.metric)).ties;
    for (std::size_t &tie : ties)
        tie = summary.rows[tie].cell;
    markTies(summary.rows, ties);
}

} // namespace

std::vector<SweepWorkload> workloadsOf(const StoredSweep &sweep, std::optional<Figure> metric)
{
    SweepSummary all = summariseSweep(sweep, metric);
    std::vector<SweepWorkload> workloads;
    std::map<std::string, std::size_t> places;
    for (const SweepCell &cell : sweep.plan.cells)
        if (places.emplace(workKey(cell), workloads.size()).second) {
            SweepWorkload workload{workloadTitle(cell, sweep.plan.cells),
                                   {all.metric, all.keys, {}, all.rounds, all.noVerdict},
                                   {},
                                   {},
                                   {}};
            workloads.push_back(std::move(workload));
        }
    for (std::size_t i = 0; i < sweep.plan.leftOut.size(); ++i)
        if (const auto place = places.find(workKey(sweep.plan.leftOut[i].cell)); place != places.end())
            workloads[place->second].leftOut.push_back(i);
    if (workloads.size() == 1) {
        workloads[0].title.clear();
        workloads[0].summary = std::move(all);
        return workloads;
    }
    for (SweepRow &row : all.rows)
        workloads[places.at(workKey(sweep.plan.cells[row.cell]))].summary.rows.push_back(std::move(row));
    for (SweepWorkload &workload : workloads)
        rankRows(sweep, workload.summary);
    return workloads;
}

namespace {

std::vector<Figure> knownMetrics(const StoredSweep &sweep)
{
    std::vector<Figure> known;
    for (const Figure figure : sweepFigures()) {
        bool isKnown = false;
        for (std::size_t cell = 0; cell < sweep.plan.cells.size() && !isKnown; ++cell) {
            const std::vector<double> figures = sweep.result.roundFigures(cell, figure);
            isKnown = std::any_of(figures.begin(), figures.end(), [](double value) { return std::isfinite(value); });
        }
        if (isKnown)
            known.push_back(figure);
    }
    return known;
}

void findRemarkable(const SweepReport &report, SweepWorkload &workload, const PipelineConfig &standard)
{
    const SweepRow *leader = workload.leader();
    for (const SweepRow &row : workload.summary.rows) {
        if (isStandard(report.sweep.plan.cells[row.cell], workload.summary.keys, standard) && !workload.standard)
            workload.standard = row.cell;
        if (leader && row.hasFigure() && row.cell != leader->cell)
            workload.worst = row.cell;
    }
}

} // namespace

const SweepRow *SweepWorkload::leader() const
{
    for (const SweepRow &row : summary.rows)
        if (row.isTie)
            return &row;
    return !summary.rows.empty() && summary.rows.front().hasFigure() ? &summary.rows.front() : nullptr;
}

std::string SweepWorkload::verdict() const
{
    if (leader())
        return sweepWords(summary);
    const auto failed = [](const SweepRow &row) { return !row.failure.empty(); };
    const auto failures = static_cast<std::size_t>(std::count_if(summary.rows.begin(), summary.rows.end(), failed));
    if (failures > 0 && failures == summary.rows.size())
        return failures == 1 ? "The only combination failed." : "All " + counted(failures, "combination") + " failed.";
    if (summary.rounds == 0)
        return "No round is complete, so there is no result.";
    return std::string(rowOf(summary.metric).label)
        + " is not known of any combination: take another metric (jetscope report --metric NAME).";
}

std::string SweepReport::date() const
{
    if (sweep.stretches.empty())
        return {};
    const std::int64_t offset = std::strtoll(deviceRow(device, "wall_clock_offset_ns").c_str(), nullptr, 10);
    std::int64_t unixNs = 0;
    if (offset == 0 || __builtin_add_overflow(offset, sweep.stretches.front().startNs, &unixNs))
        return {};
    return dateText(unixNs);
}

std::string SweepReport::method() const
{
    const std::size_t rounds = workloads.empty() ? 0 : workloads.front().summary.rounds;
    return counted(rounds, "round") + " over " + counted(sweep.plan.cells.size(), "combination")
        + ", each round in another shuffled order, so that drift and disturbances affect all combinations alike. The "
          "first frames after each change are left out. The figure of a round is the median of means of batches of "
          "frames, without 5 % of the batches at each end; the figure of a combination is the median of its rounds. "
          "A 99th percentile is the median of those of its rounds. ± is half the width of the 95 % interval. "
          "Combinations are compared round "
          "by round; a difference counts at an error of 1 %. A tie is a combination that is not shown to be worse "
          "than the best.";
}

std::string SweepReport::command() const
{
    return sweepCommandOf(sweep, factsOfRows(device));
}

Result<SweepReport> readSweepReport(const std::string &path, std::optional<Figure> metric)
{
    SweepReport report;
    report.path = path;
    JETSCOPE_TRY_ASSIGN(report.sweep, readSweep(path));
    report.metric = metric.value_or(report.sweep.conditions.figure());
    JETSCOPE_TRY_ASSIGN(report.device, readDeviceRows(path));
    if (report.sweep.plan.cells.empty())
        return sentence(path + " is a sweep without combinations: measure again with \"jetscope sweep\"");
    for (const LeftOutReason &reason : report.sweep.plan.reasons())
        report.reasons.emplace(reason.reason, report.reasons.size() + 1);
    report.metrics = knownMetrics(report.sweep);
    report.workloads = workloadsOf(report.sweep, metric);
    const PipelineConfig standard = nearestLegal({}, factsOfRows(report.device));
    for (SweepWorkload &workload : report.workloads)
        findRemarkable(report, workload, standard);
    report.standardWords = wordsOf(report.workloads.front().summary.keys, standard);
    return report;
}

Result<OpenedTrace> openSweepSample(const std::string &path, std::size_t cell, OpenProgress &progress)
{
    JETSCOPE_TRY_ASSIGN(const std::vector<std::byte> bytes, readSweepSample(path, cell));
    JETSCOPE_TRY_ASSIGN(const TemporaryFolder folder, TemporaryFolder::create());
    const std::string place = folder.path() + "/sample.jscope";
    std::ofstream file(place, std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file)
        return sentence("No temporary file can be written: set TMPDIR to a folder with space.");
    Result<OpenedTrace> opened = openTrace(place, progress);
    if (!opened.ok() && !wasCancelled(opened.error())) // Its own sentence names the temporary file.
        return sentence("The sample trace in the file is damaged.");
    return opened;
}

void readSweepSamples(SweepReport &report)
{
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < std::min(report.workloads.size(), kMaxWorkloadsInPictures); ++i) {
        const SweepWorkload &workload = report.workloads[i];
        if (workload.leader())
            wanted.push_back(workload.leader()->cell);
        if (workload.standard)
            wanted.push_back(*workload.standard);
    }
    for (const std::size_t cell : wanted) {
        if (report.samples.contains(cell) || report.sampleProblems.contains(cell))
            continue;
        const std::vector<std::size_t> &sampled = report.sweep.sampled;
        if (std::find(sampled.begin(), sampled.end(), cell) == sampled.end()) {
            report.sampleProblems.emplace(cell, "No sample trace was kept.");
            continue;
        }
        NoOpenProgress progress;
        Result<OpenedTrace> sample = openSweepSample(report.path, cell, progress);
        if (sample.ok())
            report.samples.emplace(cell, std::move(sample.value().trace));
        else
            report.sampleProblems.emplace(cell, sample.error().message());
    }
}

} // namespace jetscope
