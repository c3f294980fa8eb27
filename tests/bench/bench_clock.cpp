// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What reading the clock costs a pipeline, alternately watched and not; see README.md beside this file.
#include "core/figures/statistics.h"
#include "gpu/device/backends.h"
#include "gpu/lab/clockwatcher.h"
#include "gpu/pipeline/pipeline.h"
#include "tests/bench/gpubench.h"
#include "tests/support/clocksource.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

using namespace jetscope;

namespace {

constexpr std::size_t kRounds = 40;
constexpr std::size_t kFramesOfTurn = 60;

/// Milliseconds of the frames of a turn, the first ones left out.
double meanPeriod(Pipeline &pipeline)
{
    constexpr std::size_t kFirst = 10;
    static_cast<void>(pipeline.drainUpdates());
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t seen = 0; seen < kFramesOfTurn;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        for (const FrameFigures &figures : pipeline.drainUpdates().figures)
            if (++seen > kFirst) {
                sum += static_cast<double>(figures.periodNs()) / 1e6;
                ++count;
            }
    }
    return sum / static_cast<double>(count);
}

/// Microseconds of CPU time that a frame costs the thread that captures it, once the clock was found.
double costOfAFrame()
{
    constexpr int kLooks = 5'000;
    testing::ClockSource source(1280, 720, 1);
    std::vector<std::byte> bytes(source.info().layout.bytes);
    need(source.read(bytes.data()));
    ClockWatcher watcher;
    std::uint64_t number = 0;
    const auto look = [&] {
        watcher.arrived({number++, nowNs()}, source.info().layout, bytes.data());
        return watcher.take().back().clock.sight == ClockSight::Read;
    };
    while (!look())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto cpuNs = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
    };
    const double begin = cpuNs();
    for (int i = 0; i < kLooks; ++i)
        look();
    return (cpuNs() - begin) / 1e3 / kLooks;
}

} // namespace

int main(int argc, char **argv)
{
    const std::string device = argc > 1 ? argv[1] : "soft:orin";
    PipelineSetup setup;
    setup.display = need(openHeadlessDisplay(device));
    setup.deviceId = device;
    setup.config.sync = SyncMode::Event; // EGLSync is for Tegra only.
    setup.source = std::make_unique<testing::ClockSource>(1280, 720, 100'000'000);
    const std::unique_ptr<Pipeline> pipeline = need(Pipeline::create(std::move(setup)));
    const auto watcher = std::make_shared<ClockWatcher>();
    pipeline->watchInput(watcher);
    static_cast<void>(meanPeriod(*pipeline)); // Until it is found.
    std::vector<double> ratios;
    std::size_t read = 0;
    std::size_t frames = 0;
    for (std::size_t round = 0; round < kRounds; ++round) {
        std::array<double, 2> periods{};
        for (const std::size_t turn : {std::size_t{0}, std::size_t{1}}) {
            const std::size_t isWatched = (turn + round) % 2; // Neither is always the first.
            pipeline->watchInput(isWatched != 0 ? watcher : nullptr);
            periods[isWatched] = meanPeriod(*pipeline);
        }
        for (const FrameSighting &sighting : watcher->take()) {
            read += sighting.clock.sight == ClockSight::Read ? 1 : 0;
            ++frames;
        }
        ratios.push_back(periods[1] / periods[0]);
    }
    std::sort(ratios.begin(), ratios.end());
    std::printf("%s: period with / without the clock being read: %.4f (p10 %.4f, p90 %.4f); read %zu of %zu frames\n",
                device.c_str(), percentileOf(ratios, 0.5), percentileOf(ratios, 0.1), percentileOf(ratios, 0.9), read,
                frames);
    std::printf("a frame costs the capture thread %.1f us of CPU time\n", costOfAFrame());
    return EXIT_SUCCESS;
}
