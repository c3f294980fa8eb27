// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/runrecord.h"

#include "core/verdict.h"

#include <algorithm>
#include <span>

namespace jetscope {

namespace {

std::string endOf(const RunRecord &record, std::uint64_t frameLimit)
{
    if (!record.failure.empty())
        return record.failure;
    if (record.interrupted)
        return "interrupted";
    return record.status.frames >= frameLimit ? "frame limit" : "end of file";
}

/// The planned segments that really began: a refused change leaves the segment before it going on.
std::vector<Segment> segmentsThatBegan(const RunPlan &plan, const RunRecord &record)
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

SegmentReport reportOf(const PipelineConfig &config, std::span<const FrameFigures> figures,
                       const PipelineStatus &status)
{
    SegmentReport report;
    report.config = config;
    report.wait = config.wait == status.config.wait ? status.waitInForce : config.wait;
    report.figures = summariseFrames(figures);
    report.verdict = verdictOf(report.figures, config, status.facts).sentence;
    return report;
}

/// The part of a counter of the whole run that belongs to one of its segments, where that is certain.
std::optional<std::uint64_t> shareOf(std::uint64_t counted, std::size_t segments)
{
    if (segments == 1 || counted == 0)
        return counted;
    return std::nullopt;
}

} // namespace

RunReport makeReport(const Options &options, const RunPlan &plan, const RunRecord &record)
{
    const PipelineStatus &status = record.status;
    const std::uint64_t frameLimit = options.frames.value_or(kDefaultRunFrames);
    RunReport report;
    report.device = status.facts.name;
    report.source = status.source.uri;
    report.hazards = record.hazards;
    report.whole = reportOf(plan.segments.front().config, record.figures, status);
    report.whole.frames = status.frames;
    report.whole.emulationBytes = status.emulationBytes;
    report.whole.dropped = status.droppedBySource;
    report.whole.stream = status.stream;
    report.whole.ended = endOf(record, frameLimit);

    const std::vector<Segment> began = segmentsThatBegan(plan, record);
    for (std::size_t i = 0; i < began.size(); ++i) {
        const bool last = i + 1 == began.size();
        const std::uint64_t end = last ? status.frames : began[i + 1].firstFrame;
        SegmentReport segment = reportOf(began[i].config, figuresOf(record.figures, began[i].firstFrame, end), status);
        segment.frames = end - began[i].firstFrame;
        segment.emulationBytes = shareOf(status.emulationBytes, began.size());
        segment.dropped = shareOf(status.droppedBySource, began.size());
        segment.ended = last ? report.whole.ended : "switch";
        report.segments.push_back(std::move(segment));
    }
    return report;
}

} // namespace jetscope
