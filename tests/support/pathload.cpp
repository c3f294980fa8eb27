// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/pathload.h"

#include "core/tracefile/oldlabels.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

struct Step {
    LaneId lane;
    const char *name;
    Category category;
    std::int64_t fromUs; ///< From the start of the frame.
    std::int64_t toUs;
    std::uint8_t depth;
};

constexpr std::array kSteps = {
    Step{0, "draw test card", Category::Capture, -900, -700, 0},
    Step{0, "wait for the next frame", Category::WaitInput, -700, -20, 0},
    Step{1, "wait for frame", Category::WaitInput, -100, -5, 0},
    Step{1, "submit", Category::Submit, 5, 400, 0},
    Step{1, "eglClientWaitSync", Category::WaitSync, 20, 40, 1},
    Step{1, "cudaEventSynchronize", Category::WaitSync, 100, 390, 1},
    Step{3, "copy to device", Category::Copy, 60, 120, 0},
    Step{3, "gaussian5+sobel", Category::Kernel, 122, 380, 0},
    Step{4, "draw", Category::Draw, 420, 600, 0},
    Step{2, "half size", Category::CpuStage, 430, 500, 0},
    Step{2, "Canny", Category::CpuStage, 500, 1300, 0},
    Step{1, "wait for slot", Category::WaitSlot, 450, 850, 0},
};

} // namespace

PathLoad pathLoad(std::size_t spans)
{
    PathLoad load;
    load.lanes = {{0, LaneRole::Capture, "Capture", "thread"},
                  {1, LaneRole::Pipeline, "Pipeline", "thread"},
                  {2, LaneRole::CpuStage, "CPU stage", "thread"},
                  {3, LaneRole::DeviceStream, "CUDA stream 0", "GPU"},
                  {4, LaneRole::GlQueue, "GL queue", "GPU"}};
    std::array<NameId, kSteps.size()> names{};
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i] = internName(kSteps[i].name, kSteps[i].category, purposeOfLabel(kSteps[i].name, kSteps[i].category));
    for (std::uint32_t frame = 0; load.spans.size() < spans; ++frame) {
        const std::int64_t startNs = 1'000'000'000 + frame * std::int64_t{1'400'000};
        for (std::size_t i = 0; i < kSteps.size(); ++i) {
            Span span;
            span.startNs = startNs + kSteps[i].fromUs * 1000;
            span.durationNs = (kSteps[i].toUs - kSteps[i].fromUs) * 1000;
            span.frame = kSteps[i].lane == 0 ? kNoFrame : frame;
            span.name = names[i];
            span.lane = kSteps[i].lane;
            span.depth = kSteps[i].depth;
            load.spans.push_back(span);
        }
        FrameFigures figures;
        figures.frame = frame;
        figures.startNs = startNs;
        figures.overlap.periodNs = 1'400'000;
        figures.frameNs = 610'000;
        load.figures.push_back(figures);
    }
    std::stable_sort(load.spans.begin(), load.spans.end(),
                     [](const Span &a, const Span &b) { return a.startNs < b.startNs; });
    return load;
}

std::size_t followLive(const PathLoad &load)
{
    PathFollower follower;
    follower.setLanes(load.lanes);
    std::size_t made = 0;
    std::size_t at = 0;
    std::vector<PathPiece> pieces;
    std::vector<PathGain> gains;
    for (std::size_t f = 0; f < load.figures.size(); f += 2) {
        const std::size_t frames = std::min<std::size_t>(2, load.figures.size() - f);
        const FrameFigures &last = load.figures[f + frames - 1];
        std::size_t end = at;
        while (end < load.spans.size() && load.spans[end].startNs < last.startNs + last.periodNs())
            ++end;
        follower.add({load.spans.data() + at, end - at});
        follower.add({load.figures.data() + f, frames});
        at = end;
        pieces.clear();
        gains.clear();
        follower.take(pieces, gains);
        made += pieces.size();
    }
    return made;
}

} // namespace jetscope
