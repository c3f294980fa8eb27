// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The hazard ledger: what it costs a frame (pipelines with and without it by turns), whether long legal runs stay
// silent, and whether its memory grows. Argument: the device, "soft:orin" if not given.
#include "core/figures/statistics.h"
#include "core/hazards/hazardledger.h"
#include "core/time/clock.h"
#include "gpu/device/backends.h"
#include "gpu/pipeline/pipeline.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

using namespace jetscope;

namespace {

constexpr int kRounds = 15;
constexpr std::uint64_t kCostFrames = 200;
constexpr std::uint64_t kSilentFrames = 10'000;
constexpr std::uint64_t kMemoryFrames = 100'000;

struct Bench {
    std::string device;
    std::shared_ptr<EglDisplay> display;
    DeviceFacts facts;
};

std::unique_ptr<Pipeline> start(const Bench &bench, const PipelineConfig &config, const std::string &source,
                                std::uint64_t frames, bool checks)
{
    PipelineSetup setup;
    setup.display = bench.display;
    setup.deviceId = bench.device;
    setup.source = std::move(openSource(source, Pacing::Unpaced)).value();
    setup.config = config;
    setup.frameLimit = frames;
    setup.checksHazards = checks;
    setup.hostFiles.clear();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok()) {
        std::fprintf(stderr, "%s\n", pipeline.error().message().c_str());
        std::exit(1);
    }
    return std::move(pipeline).value();
}

std::vector<PipelineConfig> legalModes(const Bench &bench)
{
    std::vector<PipelineConfig> configs;
    for (const auto &sync : choices<SyncMode>()) {
        PipelineConfig config = nearestLegal(PipelineConfig{}, bench.facts);
        config.sync = sync.value;
        if (sync.value == SyncMode::Implicit)
            config.output = OutputKind::GlInterop;
        config.cpuStage = cpuStageCapability().available ? CpuStagePlacement::Pipelined : CpuStagePlacement::Off;
        if (availability(config, bench.facts).legal())
            configs.push_back(config);
    }
    return configs;
}

double periodMs(const Bench &bench, const PipelineConfig &config, bool checks)
{
    const auto pipeline = start(bench, config, "synthetic:?size=1280x720", kCostFrames, checks);
    pipeline->waitForEnd();
    return 1000 / summariseFrames(pipeline->drainUpdates().figures).fps;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void measureCost(const Bench &bench)
{
    std::printf("cost at 1280x720, %d turns of %d frames\n%-10s %12s %12s %8s %10s\n", kRounds,
                static_cast<int>(kCostFrames), "sync", "without ms", "with ms", "ratio", "us more");
    for (const PipelineConfig &config : legalModes(bench)) {
        std::vector<double> without;
        std::vector<double> with;
        std::vector<double> ratios;
        for (int round = 0; round < kRounds; ++round) {
            const bool first = round % 2 == 0;
            const double a = periodMs(bench, config, first);
            const double b = periodMs(bench, config, !first);
            with.push_back(first ? a : b);
            without.push_back(first ? b : a);
            ratios.push_back(with.back() / without.back());
        }
        std::printf("%-10s %12.3f %12.3f %8.3f %10.1f\n", std::string(nameOf(config.sync)).c_str(), median(without),
                    median(with), median(ratios), (median(with) - median(without)) * 1000);
    }
}

/// The calls of one frame of a pipeline, on the ledger alone.
void measureCalls()
{
    HazardLedger ledger({.managedTurns = true});
    char objects[12] = {};
    const char &stream = objects[0], &queue = objects[1], &input = objects[2], &result = objects[3],
               &image = objects[4], &done = objects[5], &fence = objects[6], &fenceEvent = objects[7],
               &sync = objects[8], &stamp = objects[9];
    constexpr std::size_t kBytes = 1 << 20;
    ledger.addStream(&stream);
    ledger.addBuffer(&input, Allocation::Managed, kBytes);
    ledger.addBuffer(&result, Allocation::Pinned, kBytes);
    ledger.addImage(&image, 1280, 720, {});
    constexpr std::uint32_t kFrames = 200'000;
    const std::int64_t start = nowNs();
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
        const HazardLedger::Caller caller{frame, LaneRole::Pipeline, nowNs()};
        const HazardLedger::Use uses[] = {
            {&input, 0, kBytes, Access::Read}, {&image, 0, 1, Access::Write}, {&result, 0, kBytes, Access::Write}};
        ledger.beginCpuAccess({&input, 0, kBytes, Access::Write}, caller);
        ledger.endCpuAccess({&input, 0, kBytes, Access::Write});
        ledger.attach(&input, Attach::Single, &stream, caller);
        ledger.glFence(&queue, &fence);
        ledger.eventFromFence(&fenceEvent, &fence);
        ledger.wait(&stream, &fenceEvent);
        ledger.removeEvent(&fenceEvent);
        ledger.record(&stamp, &stream, caller);
        ledger.launch(&stream, uses, caller);
        ledger.attach(&input, Attach::Host, &stream, caller);
        ledger.record(&done, &stream, caller);
        ledger.syncFromEvent(&sync, &done, caller);
        ledger.glWaitSync(&queue, &sync);
        ledger.glCommand(&queue, AccessKind::GlCommand, std::span(uses).subspan(1, 1), caller);
        ledger.syncExecuted(&sync, false);
        ledger.eventSeen(&done);
        ledger.beginCpuAccess({&result, 0, kBytes, Access::Read}, caller);
        ledger.endCpuAccess({&result, 0, kBytes, Access::Read});
        ledger.fenceSeen(&fence);
    }
    const double us = static_cast<double>(nowNs() - start) / 1e3 / kFrames;
    std::printf("the calls of a frame on the ledger alone: %.2f us, %zu hazards\n", us, ledger.takeHazards().size());
}

std::size_t broken(const PipelineUpdate &update)
{
    return static_cast<std::size_t>(
        std::count_if(update.notices.begin(), update.notices.end(), [](const PipelineNotice &notice) {
            return notice.kind == PipelineNotice::Kind::Violation && notice.level <= HazardLevel::Luck;
        }));
}

void measureSilence(const Bench &bench)
{
    std::printf("hazards in %d frames of 320x180\n", static_cast<int>(kSilentFrames));
    for (const PipelineConfig &config : legalModes(bench)) {
        const auto pipeline = start(bench, config, "synthetic:?size=320x180", kSilentFrames, true);
        std::size_t hazards = 0;
        while (pipeline->status().state == PipelineState::Running) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            hazards += broken(pipeline->drainUpdates());
        }
        hazards += broken(pipeline->drainUpdates());
        std::printf("%-10s %zu\n", std::string(nameOf(config.sync)).c_str(), hazards);
    }
}

double residentMb()
{
    std::ifstream file("/proc/self/statm");
    double total = 0;
    double resident = 0;
    file >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

void measureMemory(const Bench &bench)
{
    const PipelineConfig config = nearestLegal(PipelineConfig{}, bench.facts);
    const auto pipeline = start(bench, config, "synthetic:?size=64x36", kMemoryFrames, true);
    double early = 0;
    while (pipeline->status().state == PipelineState::Running) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        pipeline->drainUpdates();
        if (early == 0 && pipeline->status().frames >= 1000)
            early = residentMb();
    }
    std::printf("resident: %.1f MB at frame 1000, %.1f MB at frame %d\n", early, residentMb(),
                static_cast<int>(kMemoryFrames));
}

} // namespace

int main(int argc, char **argv)
{
    Bench bench;
    bench.device = argc > 1 ? argv[1] : "soft:orin";
    Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay(bench.device);
    if (!display.ok()) {
        std::fprintf(stderr, "%s\n", display.error().message().c_str());
        return 1;
    }
    bench.display = display.value();
    bench.facts = openDevice(bench.device, bench.display).value()->facts();
    measureCalls();
    measureCost(bench);
    measureSilence(bench);
    measureMemory(bench);
    return 0;
}
