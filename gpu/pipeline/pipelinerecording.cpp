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
    case PipelineNotice::Kind::Stage:
    case PipelineNotice::Kind::Machine:
        return TraceMark::Kind::Other;
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
    return TraceMark{*kind,      notice.timeNs, notice.frame, notice.text,  notice.rule,
                     notice.fix, notice.memory, notice.first, notice.second};
}

std::vector<TraceFact> factsOf(const PipelineStatus &status)
{
    std::vector<TraceFact> facts = {
        {"gpu_time", std::string(nameOf(status.gpuTime))},
        {"gpu_time_reason", status.gpuTimeReason},
        {"trace_cost",
         status.traceCost ? traceCostSentence(status.traceCost) : "not measured before or during the recording"}};
    if (!status.powerMode.empty())
        facts.emplace_back("power_mode", status.powerMode);
    const ImageLayout &layout = status.source.layout;
    if (layout.width > 0)
        facts.emplace_back("frame_size", std::to_string(layout.width) + "x" + std::to_string(layout.height));
    for (StreamFactRow &row : streamFactRows(status.sourceState.facts))
        facts.emplace_back("stream_" + row.key, std::move(row.text));
    if (std::string faults = sourceFaultsText(status.sourceState.faults); !faults.empty())
        facts.emplace_back("source_faults", std::move(faults));
    return facts;
}

} // namespace jetscope
