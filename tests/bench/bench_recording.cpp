// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The cost of recording per frame, in wall time and in CPU time of the whole process: tiny frames, alternately traced
// and untraced; see README.md beside this file.
#include "gpu/device/backends.h"
#include "gpu/pipeline/pipeline.h"
#include "tests/bench/gpubench.h"
#include "tests/bench/quantile.h"
#include "tests/support/stillsource.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace jetscope;

namespace {

constexpr std::uint64_t kFrames = 1'000;
constexpr std::size_t kRounds = 31;

/// Microseconds per frame.
struct Cost {
    double wall = 0;
    double cpu = 0;
};

/// None if this device does not have the choice.
std::optional<Cost> measure(const std::string &device, OutputKind output, bool traced)
{
    const Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay(device);
    if (!display.ok())
        return std::nullopt;
    PipelineSetup setup;
    setup.display = display.value();
    setup.deviceId = device;
    setup.source = std::make_unique<testing::StillSource>(64, 64, kFrames);
    setup.config.output = output;
    setup.config.sync = output == OutputKind::GlInterop ? SyncMode::Implicit : SyncMode::Event;
    setup.config.wait = WaitPolicy::Block; // Waiting costs no CPU time.
    setup.config.filters = {Filter::Gaussian5};
    setup.traced = traced;
    const Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok())
        return std::nullopt;
    const std::clock_t cpuBegin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    while (pipeline.value()->status().state == PipelineState::Running) {
        static_cast<void>(pipeline.value()->drainUpdates()); // As a window does.
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - begin;
    const double cpu = 1e6 * static_cast<double>(std::clock() - cpuBegin) / CLOCKS_PER_SEC;
    return Cost{wall.count() / static_cast<double>(kFrames), cpu / static_cast<double>(kFrames)};
}

/// The calls that a CUDA device receives for a frame, without a pipeline: a copy, a chain and an event to wait for. If
/// timed, also the events around both and their queries, like the source `events`.
class BareCalls {
public:
    explicit BareCalls(const std::string &deviceId)
        : m_display(need(openHeadlessDisplay(deviceId))),
          m_device(need(openDevice(deviceId, m_display))),
          m_stream(need(m_device->createStream())),
          m_done(need(m_device->createEvent(Device::Timing::Off)))
    {
        for (std::unique_ptr<Event> &stamp : m_stamps)
            stamp = need(m_device->createEvent(Device::Timing::On));
        need(m_device->setWaitPolicy(WaitPolicy::Block));
        m_launch.inputLayout = makeImageLayout(PixelFormat::Rgba8, 64, 64);
        const std::size_t bytes = m_launch.inputLayout.bytes;
        m_host = need(m_device->allocate(Allocation::Pinned, bytes));
        m_input = need(m_device->allocate(Allocation::Device, bytes));
        m_output = need(m_device->allocate(Allocation::Device, bytes));
        m_launch.filters = {Filter::Gaussian5};
        m_launch.input = wholeOf(*m_input);
        m_launch.output = wholeOf(*m_output);
        m_launch.outputPitch = 64 * 4;
    }

    Cost measure(bool timed)
    {
        const std::clock_t cpuBegin = std::clock();
        const auto begin = std::chrono::steady_clock::now();
        for (std::uint64_t frame = 0; frame < kFrames; ++frame) {
            submit(timed);
            need(m_device->synchronize(*m_done));
            if (timed)
                look();
        }
        const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - begin;
        const double cpu = 1e6 * static_cast<double>(std::clock() - cpuBegin) / CLOCKS_PER_SEC;
        return {wall.count() / static_cast<double>(kFrames), cpu / static_cast<double>(kFrames)};
    }

private:
    void stamp(std::size_t which, bool timed)
    {
        if (timed)
            need(m_device->record(*m_stamps[which], *m_stream));
    }
    void submit(bool timed)
    {
        stamp(0, timed);
        need(m_device->copyAsync(wholeOf(*m_input), wholeOf(*m_host), CopyKind::HostToDevice, *m_stream));
        stamp(1, timed);
        stamp(2, timed);
        need(m_device->launch(m_launch, *m_stream));
        stamp(3, timed);
        need(m_device->record(*m_done, *m_stream));
    }
    void look()
    {
        for (const std::size_t begin : {0, 2}) {
            static_cast<void>(need(m_device->query(*m_stamps[begin + 1])));
            static_cast<void>(need(m_device->elapsedNs(*m_stamps[0], *m_stamps[begin])));
            static_cast<void>(need(m_device->elapsedNs(*m_stamps[begin], *m_stamps[begin + 1])));
        }
    }

    const std::shared_ptr<EglDisplay> m_display;
    const std::unique_ptr<Device> m_device;
    const std::unique_ptr<Stream> m_stream;
    const std::unique_ptr<Event> m_done;
    std::array<std::unique_ptr<Event>, 4> m_stamps;
    std::unique_ptr<Buffer> m_host;
    std::unique_ptr<Buffer> m_input;
    std::unique_ptr<Buffer> m_output;
    ChainLaunch m_launch;
};

/// The untraced time and the extra time for tracing, with their spread.
struct Series {
    std::vector<double> untraced;
    std::vector<double> added;

    void add(double without, double with)
    {
        untraced.push_back(without);
        added.push_back(with - without);
    }
    void print(const std::string &device, std::string_view calls, const char *what) const
    {
        std::printf("%s %-10s %-4s untraced %7.2f us a frame, tracing adds %6.2f us (quartiles %.2f to %.2f)\n",
                    device.c_str(), std::string(calls).c_str(), what, quantile(untraced, 0.5), quantile(added, 0.5),
                    quantile(added, 0.25), quantile(added, 0.75));
    }
};

void measureBareCalls(const std::string &device)
{
    BareCalls calls(device);
    Series wall;
    Series cpu;
    for (std::size_t round = 0; round <= kRounds; ++round) {
        const Cost untimed = calls.measure(false);
        const Cost timed = calls.measure(true);
        if (round == 0)
            continue; // A warm-up round.
        wall.add(untimed.wall, timed.wall);
        cpu.add(untimed.cpu, timed.cpu);
    }
    wall.print(device, "bare calls", "wall");
    cpu.print(device, "bare calls", "CPU");
}

void measurePipeline(const std::string &device, OutputKind output)
{
    Series wall;
    Series cpu;
    for (std::size_t round = 0; round < kRounds; ++round) {
        // The position in a round affects the result, so alternate it.
        const bool tracedFirst = round % 2 == 1;
        const std::optional<Cost> first = measure(device, output, tracedFirst);
        const std::optional<Cost> second = measure(device, output, !tracedFirst);
        if (!first || !second)
            return;
        const Cost &untraced = tracedFirst ? *second : *first;
        const Cost &traced = tracedFirst ? *first : *second;
        wall.add(untraced.wall, traced.wall);
        cpu.add(untraced.cpu, traced.cpu);
    }
    wall.print(device, nameOf(output), "wall");
    cpu.print(device, nameOf(output), "CPU");
}

} // namespace

int main(int argc, char **argv)
{
    const std::string device = argc > 1 ? argv[1] : bestDeviceId();
    measureBareCalls(device);
    for (const OutputKind output : {OutputKind::EglImage, OutputKind::GlInterop})
        measurePipeline(device, output);
    return EXIT_SUCCESS;
}
