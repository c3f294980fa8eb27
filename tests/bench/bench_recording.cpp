// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What recording costs a frame, in wall time and in CPU time of the whole process: tiny frames, traced and untraced in turns; see
// README.md beside this file.
#include "gpu/backends.h"
#include "gpu/pipeline.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace jetscope;

namespace {

constexpr std::uint64_t kFrames = 2'000;
constexpr int kRounds = 9;

/// Frames that cost nothing to read.
class StillSource final : public FrameSource {
public:
    StillSource()
    {
        m_info.uri = "still:";
        m_info.description = "untouched memory";
        m_info.layout = makeImageLayout(PixelFormat::Rgba8, 64, 64);
    }
    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *) override
    {
        if (m_cancelled || m_next >= kFrames)
            return std::optional<CapturedFrame>();
        CapturedFrame frame;
        frame.index = m_next++;
        return std::optional<CapturedFrame>(frame);
    }
    void cancel() override { m_cancelled = true; }

private:
    SourceInfo m_info;
    std::uint64_t m_next = 0;
    std::atomic<bool> m_cancelled{false};
};

/// Microseconds a frame.
struct Cost {
    double wall = 0;
    double cpu = 0;
};

/// None when this device does not have the choice.
std::optional<Cost> measure(const std::string &device, OutputKind output, bool traced)
{
    const Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay(device);
    if (!display.ok())
        return std::nullopt;
    PipelineSetup setup;
    setup.display = display.value();
    setup.deviceId = device;
    setup.source = std::make_unique<StillSource>();
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
        static_cast<void>(pipeline.value()->takeNews()); // As a window does.
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - begin;
    const double cpu = 1e6 * static_cast<double>(std::clock() - cpuBegin) / CLOCKS_PER_SEC;
    return Cost{wall.count() / static_cast<double>(kFrames), cpu / static_cast<double>(kFrames)};
}

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// The untraced time and what tracing adds, which the machine's noise spreads.
struct Series {
    std::vector<double> untraced;
    std::vector<double> added;

    void add(double without, double with)
    {
        untraced.push_back(without);
        added.push_back(with - without);
    }
    void print(const std::string &device, OutputKind output, const char *what) const
    {
        const auto [least, most] = std::minmax_element(added.begin(), added.end());
        std::printf("%s %-10s %-4s untraced %7.2f us a frame, tracing adds %6.2f us (%.2f to %.2f)\n", device.c_str(),
                    std::string(nameOf(output)).c_str(), what, medianOf(untraced), medianOf(added), *least, *most);
    }
};

} // namespace

int main(int argc, char **argv)
{
    const std::string device = argc > 1 ? argv[1] : bestDeviceId();
    for (const OutputKind output : {OutputKind::EglImage, OutputKind::GlInterop}) {
        Series wall;
        Series cpu;
        for (int round = 0; round < kRounds; ++round) {
            const std::optional<Cost> untraced = measure(device, output, false);
            const std::optional<Cost> traced = measure(device, output, true);
            if (!untraced || !traced)
                break;
            wall.add(untraced->wall, traced->wall);
            cpu.add(untraced->cpu, traced->cpu);
        }
        if (wall.added.empty())
            continue;
        wall.print(device, output, "wall");
        cpu.print(device, output, "CPU");
    }
    return EXIT_SUCCESS;
}
