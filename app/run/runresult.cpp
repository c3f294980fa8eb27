// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/runresult.h"

#include "app/commandline/devicechoice.h"
#include "core/figures/statistics.h"
#include "core/path/verdict.h"
#include "gpu/sources/copies.h"

#include <algorithm>
#include <span>
#include <utility>

namespace jetscope {

namespace {

/// Greater than every frame number.
constexpr std::uint64_t kEnd = std::uint64_t{kNoFrame} + 1;

std::string endOf(const RunResult &record, std::uint64_t frameLimit)
{
    if (!record.failure.empty())
        return record.failure;
    if (record.interrupted)
        return kInterrupted;
    return record.status.frames >= frameLimit ? "frame limit" : "end of file";
}

/// The planned segments that began: after a refused change, the previous segment continues.
std::vector<Segment> segmentsThatBegan(const RunPlan &plan, const RunResult &record)
{
    std::vector<Segment> began;
    for (const Segment &segment : plan.segments) {
        const bool refused =
            std::any_of(record.refused.begin(), record.refused.end(),
                        [&](const PipelineNotice &notice) { return notice.frame == segment.firstFrame; });
        const bool reached = segment.firstFrame < record.status.frames;
        if (began.empty() || (reached && !refused))
            began.push_back(segment);
    }
    return began;
}

std::span<const FrameFigures> figuresOf(const std::vector<FrameFigures> &all, std::uint32_t first, std::uint64_t end)
{
    const auto before = [](const FrameFigures &figures, std::uint64_t frame) { return figures.frame < frame; };
    const auto from = std::lower_bound(all.begin(), all.end(), std::uint64_t{first}, before);
    return {from, std::lower_bound(from, all.end(), end, before)};
}

void addMachineTo(SegmentReport &report, std::span<const FrameFigures> figures, const MachineRecord &machine)
{
    if (figures.empty()) {
        report.energyMj.reason = "no frame was completed";
        return;
    }
    const FrameFigures &last = figures.back();
    report.machine = machineWithin(machine.counters(), {figures.front().startNs, last.startNs + last.periodNs()});
    report.energyMj = report.machine.energy.joules;
    if (report.energyMj.known())
        report.energyMj = *report.energyMj.value * 1e3 / static_cast<double>(figures.size());
}

SegmentReport reportOf(const PipelineConfig &config, std::span<const FrameFigures> figures, PathSummary path,
                       const RunResult &record)
{
    const PipelineStatus &status = record.status;
    SegmentReport report;
    report.config = config;
    report.wait = config.wait == status.config.wait ? status.waitInForce : config.wait;
    report.gpuTime = config.gpuTime == status.config.gpuTime ? status.gpuTime : config.gpuTime;
    report.copies = copiesToGpu(status.sourceState, config.memory, status.facts);
    StatisticsMethod method;
    method.lastIsCut = true;
    report.figures = summariseFrames(figures, method);
    report.verdict = verdictOf(path, config, status.facts).sentence;
    report.path = std::move(path);
    addMachineTo(report, figures, record.machine);
    return report;
}

PipelineCounts countsOf(const PipelineStatus &status)
{
    PipelineCounts counts{status.droppedBySource, status.emulationBytes, status.sourceState.faults};
    counts.lost = status.lost;
    return counts;
}

/// The counters at the start of a segment; empty for a change without effect, because the pipeline does not report it.
std::optional<PipelineCounts> countsAt(const RunResult &record, std::uint32_t frame)
{
    if (frame == 0)
        return PipelineCounts();
    const auto begin = std::find_if(record.switches.begin(), record.switches.end(),
                                    [=](const PipelineNotice &notice) { return notice.frame == frame; });
    return begin == record.switches.end() ? std::nullopt : std::optional(begin->counts);
}

PipelineCounts difference(const PipelineCounts &to, const PipelineCounts &from)
{
    PipelineCounts counts{to.dropped - from.dropped, to.emulationBytes - from.emulationBytes, to.faults - from.faults};
    counts.lost = to.lost - from.lost;
    return counts;
}

} // namespace

RunReport makeReport(const Options &options, const RunPlan &plan, const RunResult &record)
{
    const PipelineStatus &status = record.status;
    const std::uint64_t frameLimit = options.frames.value_or(kDefaultRunFrames);
    RunReport report;
    report.device = deviceWithBoard(status.facts.name);
    report.source = status.source.uri;
    report.stream = status.sourceState.facts;
    report.remark = status.sourceState.remark;
    report.hazards = record.hazards;
    report.rules = coverageOf(status.facts);
    report.powerMode = status.powerMode;
    report.gpuTime = status.gpuTime;
    report.gpuTimeUnseenNs = status.gpuTimeUnseenNs;
    report.gpuTimeReason = status.gpuTimeReason;
    report.traceCost = status.traceCost;
    report.missedSpans = record.missedSpans;
    report.lost = record.lost;
    report.cameras = record.cameras;
    report.whole = reportOf(plan.segments.front().config, record.figures, record.paths.of(0, kEnd), record);
    report.whole.frames = status.frames;
    report.whole.counts = countsOf(status);
    report.whole.trouble = status.sourceState.trouble;
    report.whole.stream = status.stream;
    report.whole.inputStream = status.inputStream;
    report.whole.ended = endOf(record, frameLimit);

    report.whole.camera = plan.segments.front().camera;
    const std::vector<Segment> began = segmentsThatBegan(plan, record);
    for (std::size_t i = 0; i < began.size(); ++i) {
        const bool last = i + 1 == began.size();
        const std::uint64_t end = last ? status.frames : began[i + 1].firstFrame;
        SegmentReport segment =
            reportOf(began[i].config, figuresOf(record.figures, began[i].firstFrame, end),
                     record.paths.of(began[i].firstFrame, last ? kEnd : began[i + 1].firstFrame), record);
        segment.frames = end - began[i].firstFrame;
        const std::optional<PipelineCounts> before = countsAt(record, began[i].firstFrame);
        const std::optional<PipelineCounts> after = last ? countsOf(status) : countsAt(record, began[i + 1].firstFrame);
        if (before && after)
            segment.counts = difference(*after, *before);
        segment.camera = began[i].camera;
        segment.trouble = last ? report.whole.trouble : std::string();
        segment.ended = last ? report.whole.ended : "switch";
        report.segments.push_back(std::move(segment));
    }
    const SegmentReport &last = report.segments.back();
    for (Candidate &candidate : candidatesFor(last.path, last.config, status.facts, status.waitInForce))
        report.advice.push_back({std::move(candidate), std::nullopt});
    return report;
}

void addHazard(std::vector<HazardRow> &rows, const PipelineNotice &violation)
{
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const HazardRow &row) {
        return row.rule == violation.rule && row.text == violation.text && row.buffer == violation.memory;
    });
    if (same != rows.end()) {
        same->firstFrame = std::min(same->firstFrame, violation.frame);
        same->lastFrame = std::max(same->lastFrame, violation.frame);
        ++same->count;
        return;
    }
    HazardRow row;
    row.rule = violation.rule;
    row.level = violation.level;
    row.firstFrame = violation.frame;
    row.lastFrame = violation.frame;
    row.count = 1;
    row.text = violation.text;
    row.buffer = violation.memory;
    row.a = violation.first ? accessText(*violation.first) : std::string();
    row.b = violation.second ? accessText(*violation.second) : std::string();
    row.fix = violation.fix;
    rows.push_back(std::move(row));
}

bool hasErrors(const std::vector<HazardRow> &rows)
{
    return std::any_of(rows.begin(), rows.end(), [](const HazardRow &row) { return row.level == HazardLevel::Error; });
}

RunPaths::RunPaths(std::span<const Segment> segments)
{
    for (const Segment &segment : segments)
        m_stretches.emplace_back().firstFrame = segment.firstFrame;
    if (m_stretches.empty())
        m_stretches.emplace_back();
}

RunPaths::Stretch &RunPaths::stretchOf(std::uint32_t frame)
{
    const auto after = std::partition_point(m_stretches.begin(), m_stretches.end(),
                                            [frame](const Stretch &stretch) { return stretch.firstFrame <= frame; });
    return after == m_stretches.begin() ? m_stretches.front() : *(after - 1);
}

void RunPaths::add(const PipelineUpdate &update)
{
    constexpr std::size_t kWarmUp = StatisticsMethod().warmUp;
    m_head.add(update);
    for (const PathPiece &piece : update.path) {
        Stretch &stretch = stretchOf(piece.frame);
        (piece.frame < stretch.firstFrame + kWarmUp ? stretch.warmUp : stretch.sums).add(piece);
    }
    for (const PathGain &gain : update.pathGains) {
        Stretch &stretch = stretchOf(gain.firstFrame);
        if (gain.firstFrame >= stretch.firstFrame + kWarmUp && &stretch == &stretchOf(gain.lastFrame))
            stretch.sums.add(gain);
    }
}

PathSummary RunPaths::of(std::uint64_t first, std::uint64_t end) const
{
    PathSums all;
    PathSums warmUp;
    for (const Stretch &stretch : m_stretches) {
        if (stretch.firstFrame < first || stretch.firstFrame >= end)
            continue;
        all.add(stretch.sums);
        warmUp.add(stretch.warmUp);
    }
    const PathSums &sums = all.frames() > 0 ? all : warmUp;
    return sums.summary([this](std::uint32_t name) { return m_head.name(name); },
                        [this](LaneId id) { return m_head.lane(id); });
}

} // namespace jetscope
