// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The whole pipeline on the software iGPU at 1280x720: the window's path (frames read back for the view) with gaussian5
// -> sobel and Canny pipelined, at full speed, in every sync mode. Ratios are relative to `finish` in the same run.
#include "core/figures/statistics.h"
#include "gpu/device/backends.h"
#include "gpu/pipeline/pipeline.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

using namespace jetscope;

namespace {

constexpr std::uint64_t kFrames = 300;
constexpr int kRounds = 5;

struct Sample {
    double fps = 0;
    double blockedMs = 0;
    double shownShare = 0;
};

Sample measure(const std::shared_ptr<EglDisplay> &display, SyncMode sync)
{
    PipelineSetup setup;
    setup.display = display;
    setup.deviceId = "soft:orin";
    setup.source = std::move(openSource("synthetic:?size=1280x720", Pacing::Unpaced)).value();
    setup.config.sync = sync;
    setup.config.cpuStage = cpuStageCapability().available ? CpuStagePlacement::Pipelined : CpuStagePlacement::Off;
    setup.frameLimit = kFrames;
    setup.forWindow = true;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok())
        return {};
    std::atomic<int> shown{0};
    Result<std::unique_ptr<ReadbackView>> view = ReadbackView::create(
        display, pipeline.value()->nativeContext(), pipeline.value()->mailbox(), pipeline.value()->tracer(),
        [&shown](const Result<ReadbackView::Picture> &picture) { shown += picture.ok() ? 1 : 0; });
    pipeline.value()->waitForEnd();
    const RunFigures figures = summariseFrames(pipeline.value()->drainUpdates().figures);
    return {figures.fps, figures[Figure::Blocked], shown.load() / static_cast<double>(kFrames)};
}

Sample median(std::vector<Sample> samples)
{
    std::sort(samples.begin(), samples.end(), [](const Sample &a, const Sample &b) { return a.fps < b.fps; });
    return samples[samples.size() / 2];
}

} // namespace

int main()
{
    const Result<std::shared_ptr<EglDisplay>> display = EglDisplay::openHeadless();
    if (!display.ok()) {
        std::fprintf(stderr, "%s\n", display.error().message().c_str());
        return 1;
    }
    const std::vector<SyncMode> modes = {SyncMode::Finish, SyncMode::Stream,   SyncMode::Event,
                                         SyncMode::Poll,   SyncMode::Callback, SyncMode::EglSync};
    std::vector<std::vector<Sample>> samples(modes.size());
    // Interleaved, so that other load slows all modes alike.
    for (int round = 0; round < kRounds; ++round)
        for (std::size_t mode = 0; mode < modes.size(); ++mode)
            samples[mode].push_back(measure(display.value(), modes[mode]));
    const Sample finish = median(samples[0]);
    std::printf("%-10s %10s %12s %14s %10s\n", "sync", "frames/s", "of finish", "blocked ms", "shown");
    for (std::size_t mode = 0; mode < modes.size(); ++mode) {
        const Sample sample = median(samples[mode]);
        std::printf("%-10s %10.0f %12.2f %14.3f %9.0f%%\n", std::string(nameOf(modes[mode])).c_str(), sample.fps,
                    sample.fps / finish.fps, sample.blockedMs, sample.shownShare * 100);
    }
    return 0;
}
