// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Times the GPU's filters against a device copy of the bytes that they must move; see README.md beside this file.
#include "core/choices.h"
#include "core/imagelayout.h"
#include "core/pipelineconfig.h"
#include "gpu/backends.h"
#include "gpu/device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace jetscope;

namespace {

constexpr int kWidth = 3840;
constexpr int kHeight = 2160;
constexpr int kSets = 8; ///< Inputs and outputs in turn: together far more than any GPU's cache.
constexpr int kLaunchesPerBatch = 24;

struct Case {
    PixelFormat format;
    std::vector<Filter> filters;
    bool withResult;
    double goal; ///< In device copies of the same bytes.
};

struct Timing {
    double medianUs = 0;
    double lowUs = 0; ///< 10th and 90th percentile of the batches.
    double highUs = 0;
};

[[noreturn]] void give(const Error &error)
{
    std::fprintf(stderr, "bench_cuda: %s\n", error.message().c_str());
    std::exit(1);
}

template <class T>
T need(Result<T> result)
{
    if (!result.ok())
        give(result.error());
    return std::move(result).value();
}

void need(const Status &status)
{
    if (!status.ok())
        give(status.error());
}

std::size_t rgbaBytes()
{
    return std::size_t{4} * kWidth * kHeight;
}

class Bench {
public:
    Bench(Device &device, int batches) :
        m_device(device), m_batches(batches), m_stream(need(device.createStream())),
        m_begin(need(device.createEvent(Device::Timing::On))), m_end(need(device.createEvent(Device::Timing::On)))
    {
        for (int i = 0; i < kSets; ++i) {
            m_inputs.push_back(need(device.allocate(Allocation::Device, rgbaBytes())));
            m_outputs.push_back(need(device.allocate(Allocation::Device, rgbaBytes())));
            m_results.push_back(need(device.allocate(Allocation::Device, rgbaBytes() / 8)));
            fill(*m_inputs.back(), static_cast<unsigned>(i));
        }
    }

    Timing copy(std::size_t bytes)
    {
        return time([&](std::size_t set) {
            need(m_device.copyAsync(m_outputs[set]->device(), m_inputs[set]->device(), bytes, CopyKind::DeviceToDevice, *m_stream));
        });
    }

    Timing chain(const Case &test)
    {
        ChainLaunch launch;
        launch.inputLayout = makeImageLayout(test.format, kWidth, kHeight);
        launch.filters = test.filters;
        launch.outputPitch = std::size_t{4} * kWidth;
        launch.resultPitch = kWidth / 2;
        return time([&](std::size_t set) {
            launch.input = m_inputs[set]->device();
            launch.output = m_outputs[set]->device();
            launch.result = test.withResult ? m_results[set]->device() : nullptr;
            need(m_device.launch(launch, *m_stream));
        });
    }

private:
    void fill(Buffer &buffer, unsigned seed)
    {
        const std::unique_ptr<Buffer> host = need(m_device.allocate(Allocation::Pinned, buffer.bytes()));
        std::mt19937_64 random(seed);
        auto *words = reinterpret_cast<std::uint64_t *>(host->host());
        for (std::size_t i = 0; i < buffer.bytes() / sizeof *words; ++i)
            words[i] = random();
        need(m_device.copyAsync(buffer.device(), host->host(), buffer.bytes(), CopyKind::HostToDevice, *m_stream));
        need(m_device.synchronize(*m_stream));
    }

    template <class Work>
    Timing time(const Work &work)
    {
        for (std::size_t set = 0; set < kSets; ++set)
            work(set);
        std::vector<double> us;
        for (int batch = 0; batch < m_batches; ++batch) {
            need(m_device.record(*m_begin, *m_stream));
            for (std::size_t i = 0; i < kLaunchesPerBatch; ++i)
                work(i % kSets);
            need(m_device.record(*m_end, *m_stream));
            need(m_device.synchronize(*m_stream));
            us.push_back(static_cast<double>(need(m_device.elapsedNs(*m_begin, *m_end))) / 1000 / kLaunchesPerBatch);
        }
        std::sort(us.begin(), us.end());
        return {us[us.size() / 2], us[us.size() / 10], us[us.size() * 9 / 10]};
    }

    Device &m_device;
    const int m_batches;
    const std::unique_ptr<Stream> m_stream;
    const std::unique_ptr<Event> m_begin;
    const std::unique_ptr<Event> m_end;
    std::vector<std::unique_ptr<Buffer>> m_inputs;
    std::vector<std::unique_ptr<Buffer>> m_outputs;
    std::vector<std::unique_ptr<Buffer>> m_results;
};

std::vector<Case> cases()
{
    using enum Filter;
    std::vector<Case> all;
    for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Bgr8, PixelFormat::Nv12, PixelFormat::Yuyv, PixelFormat::Grey8})
        all.push_back({format, {}, false, 1.3});
    for (const Filter filter : {Gaussian5, Sobel, Threshold, Sharpen, Invert})
        all.push_back({PixelFormat::Rgba8, {filter}, false, 1.3});
    all.push_back({PixelFormat::Rgba8, {Gaussian15}, false, 3});
    all.push_back({PixelFormat::Nv12, {Gaussian5, Sobel}, false, 1.5});
    all.push_back({PixelFormat::Rgba8, {Gaussian5, Sobel}, false, 1.5});
    all.push_back({PixelFormat::Nv12, {Gaussian5, Sobel}, true, 1.5});
    all.push_back({PixelFormat::Nv12, {Gaussian15}, true, 3});
    return all;
}

} // namespace

int main(int argc, char **argv)
{
    const std::string id = argc > 1 ? argv[1] : "cuda:0";
    const int batches = argc > 2 ? std::max(1, std::atoi(argv[2])) : 41;
    const std::unique_ptr<Device> device = need(openDevice(id, nullptr));
    Bench bench(*device, batches);
    std::printf("%s, %dx%d, %d batches of %d launches over %d buffers; microseconds a launch\n", device->facts().name.c_str(),
                kWidth, kHeight, batches, kLaunchesPerBatch, kSets);
    std::printf("%-30s %7s %15s %7s %6s %5s\n", "", "median", "p10 to p90", "copy", "ratio", "goal");
    for (const Case &test : cases()) {
        const std::size_t moved =
            pictureBytes(makeImageLayout(test.format, kWidth, kHeight)) + rgbaBytes() + (test.withResult ? rgbaBytes() / 16 : 0);
        const Timing copy = bench.copy(moved / 2);
        const Timing ours = bench.chain(test);
        const double ratio = ours.medianUs / copy.medianUs;
        const std::string name = std::string(pixelFormatName(test.format)) + " "
            + (test.filters.empty() ? "convert" : filterNames(test.filters, "+")) + (test.withResult ? " +half" : "");
        std::printf("%-30s %7.1f %7.1f %7.1f %7.1f %6.2f %5.1f  %s\n", name.c_str(), ours.medianUs, ours.lowUs, ours.highUs,
                    copy.medianUs, ratio, test.goal, ratio <= test.goal ? "met" : "missed");
    }
    return 0;
}
