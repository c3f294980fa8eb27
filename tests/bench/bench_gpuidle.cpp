// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Where the GPU is idle between frames when it is the bottleneck of a pipeline; see README.md beside this file.
#include "core/recording/span.h"
#include "gpu/device/backends.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/sources/framesource.h"
#include "tests/bench/gputurns.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

using namespace jetscope;

namespace {

constexpr std::uint64_t kFrames = 400;
constexpr std::uint32_t kWarmUp = 100; ///< Frames skipped at the start, and half as many at the end.

struct Load {
    int width;
    int height;
    int passes; ///< Number of gaussian15 passes, which make the GPU the bottleneck.

    std::string size() const { return std::to_string(width) + "x" + std::to_string(height); }
};

struct Gap {
    std::int64_t ns = 0;
    int count = 0;
};

/// Busy and idle time of the GPU, over all of its lanes.
struct Account {
    std::int64_t spanNs = 0;
    std::int64_t idleNs = 0;
    std::uint32_t frames = 0;
    std::map<std::string, Gap> gaps; ///< By the work that ended before and the work that began after them.
};

PipelineSetup setupOf(const std::string &device, const Load &load, OutputKind output, SyncMode sync)
{
    PipelineSetup setup;
    const Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay(device);
    if (!display.ok())
        return setup;
    setup.display = display.value();
    setup.deviceId = device;
    Result<std::unique_ptr<FrameSource>> source = openSource("synthetic:?size=" + load.size(), Pacing::Unpaced);
    if (source.ok())
        setup.source = std::move(source).value();
    setup.config.output = output;
    setup.config.sync = sync;
    setup.config.framesInFlight = 3;
    setup.config.filters.assign(static_cast<std::size_t>(load.passes), Filter::Gaussian15);
    setup.frameLimit = kFrames;
    return setup;
}

std::vector<Span> gpuSpansOf(Pipeline &pipeline)
{
    std::vector<Span> spans;
    std::vector<LaneInfo> lanes;
    for (bool running = true; running;) {
        running = pipeline.status().state == PipelineState::Running;
        PipelineUpdate update = pipeline.drainUpdates();
        lanes.insert(lanes.end(), update.lanes.begin(), update.lanes.end());
        for (const Span &span : update.spans)
            if (isGpuLane(lanes[span.lane].role))
                spans.push_back(span);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.startNs < b.startNs; });
    return spans;
}

Account accountOf(const std::vector<Span> &spans)
{
    Account account;
    const Span *latest = nullptr; ///< The span with the latest end so far.
    for (const Span &span : spans) {
        if (span.frame < kWarmUp || span.frame >= kFrames - kWarmUp / 2)
            continue;
        if (latest) {
            if (const std::int64_t idle = span.startNs - latest->endNs(); idle > 0) {
                account.idleNs += idle;
                Gap &gap =
                    account.gaps[spanName(latest->name).substr(0, 24) + " -> " + spanName(span.name).substr(0, 24)];
                gap.ns += idle;
                ++gap.count;
            }
        }
        if (!latest || span.endNs() > latest->endNs()) {
            account.spanNs += span.endNs() - (latest ? latest->endNs() : span.startNs);
            latest = &span;
        }
    }
    account.frames = static_cast<std::uint32_t>(kFrames) - kWarmUp - kWarmUp / 2;
    return account;
}

void print(const Load &load, OutputKind output, SyncMode sync, const Account &account)
{
    const double frames = account.frames;
    std::printf("%-14s %-11s %-9s period %8.1f us  idle %6.1f us  %5.2f %%\n",
                (load.size() + " x" + std::to_string(load.passes)).c_str(), std::string(nameOf(output)).c_str(),
                std::string(nameOf(sync)).c_str(), static_cast<double>(account.spanNs) / frames / 1000,
                static_cast<double>(account.idleNs) / frames / 1000,
                100.0 * static_cast<double>(account.idleNs) / static_cast<double>(account.spanNs));
    for (const auto &[name, gap] : account.gaps)
        std::printf("    %-52s %5.2f a frame, %7.1f us each\n", name.c_str(), gap.count / frames,
                    static_cast<double>(gap.ns) / gap.count / 1000);
}

} // namespace

int main(int argc, char **argv)
{
    const std::string device = argc > 1 ? argv[1] : "cuda:0";
    constexpr Load kLoads[] = {{1920, 1080, 64}, {2560, 1440, 64}, {3840, 2160, 64}};
    for (const Load &load : kLoads) {
        const GpuTurns turns = measureTurns(device, load.width, load.height, load.passes);
        std::printf("%-14s kernels alone %8.1f us a frame, with a draw of GL each %8.1f us: a turn costs %6.1f us\n",
                    (load.size() + " x" + std::to_string(load.passes)).c_str(), turns.alone, turns.drawn,
                    turns.drawn - turns.alone);
        for (const OutputKind output :
             {OutputKind::EglImage, OutputKind::GlInterop, OutputKind::EglStream, OutputKind::CopyBack})
            for (const SyncMode sync :
                 {SyncMode::EglSync, SyncMode::Implicit, SyncMode::Event, SyncMode::Poll, SyncMode::Callback}) {
                PipelineSetup setup = setupOf(device, load, output, sync);
                if (!setup.display || !setup.source)
                    return EXIT_FAILURE;
                Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
                if (pipeline.ok()) // Otherwise this device does not have the choice.
                    print(load, output, sync, accountOf(gpuSpansOf(*pipeline.value())));
            }
    }
    return EXIT_SUCCESS;
}
