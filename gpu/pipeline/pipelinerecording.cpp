// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/pipelinerecording.h"

namespace jetscope {

namespace {

std::optional<TraceMark::Kind> markKindOf(PipelineNotice::Kind kind)
{
    switch (kind) {
    case PipelineNotice::Kind::Switched:
        return TraceMark::Kind::Switch;
    case PipelineNotice::Kind::Dropped:
        return TraceMark::Kind::Drop;
    case PipelineNotice::Kind::Gap:
    case PipelineNotice::Kind::Untraced:
        return TraceMark::Kind::Gap;
    case PipelineNotice::Kind::Violation:
        return TraceMark::Kind::Hazard;
    case PipelineNotice::Kind::Refused:
    case PipelineNotice::Kind::Ended:
    case PipelineNotice::Kind::Failed:
        break;
    }
    return std::nullopt;
}

} // namespace

std::optional<TraceMark> markOf(const PipelineNotice &notice)
{
    const auto kind = markKindOf(notice.kind);
    if (!kind)
        return std::nullopt;
    return TraceMark{*kind, notice.timeNs, notice.frame, notice.text, notice.rule, notice.fix};
}

void recordValues(CaptureWriter &writer, const PipelineNews &news)
{
    writer.setLanes(news.lanes);
    writer.setCounters(news.counters);
    writer.setLostBefore(news.spansLost);
    writer.add(news.spans);
    writer.add(news.figures);
    writer.add(news.numbers);
    writer.add(news.path);
    writer.add(news.samples);
}

void recordStatus(CaptureWriter &writer, const PipelineStatus &status)
{
    writer.setFact("gpu_time", std::string(nameOf(status.gpuTime)));
    writer.setFact("gpu_time_reason", status.gpuTimeReason);
    writer.setFact("trace_cost",
                   status.traceCost ? traceCostSentence(status.traceCost)
                                    : "not measured before or during the recording");
}

} // namespace jetscope
