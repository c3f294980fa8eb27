// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What recording costs a frame, in CPU time of the whole process: tiny frames, traced and untraced in turns; see README.md beside this
// file.
#include "gpu/backends.h"
#include "gpu/pipeline.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
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

/// CPU time, microseconds a frame; negative when this device does not have the choice.
double measure(const std::string &device, OutputKind output, bool traced)
{
    const Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay(device);
    if (!display.ok())
        return -1;
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
        return -1;
    const std::clock_t begin = std::clock();
    while (pipeline.value()->status().state == PipelineState::Running) {
        static_cast<void>(pipeline.value()->takeNews()); // As a window does.
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return 1e6 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / static_cast<double>(kFrames);
}

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char **argv)
{
    const std::string device = argc > 1 ? argv[1] : bestDeviceId();
    for (const OutputKind output : {OutputKind::EglImage, OutputKind::GlInterop}) {
        std::vector<double> untraced;
        std::vector<double> costs;
        for (int round = 0; round < kRounds; ++round) {
            untraced.push_back(measure(device, output, false));
            if (untraced.back() < 0)
                break;
            costs.push_back(measure(device, output, true) - untraced.back());
        }
        if (costs.empty())
            continue;
        const auto [least, most] = std::minmax_element(costs.begin(), costs.end());
        std::printf("%s %-10s untraced %.2f us of CPU a frame, tracing costs %.2f us (%.2f to %.2f)\n", device.c_str(),
                    std::string(nameOf(output)).c_str(), medianOf(untraced), medianOf(costs), *least, *most);
    }
    return EXIT_SUCCESS;
}
