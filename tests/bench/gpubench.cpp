// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gpubench.h"

#include "tests/bench/quantile.h"

#include "core/settings/pipelineconfig.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace jetscope {

void give(const Error &error)
{
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", error.message().c_str());
    std::exit(1);
}

GpuBench::GpuBench(Device &device, int batches)
    : m_device(device),
      m_batches(batches),
      m_stream(need(device.createStream())),
      m_begin(need(device.createEvent(Device::Timing::On))),
      m_end(need(device.createEvent(Device::Timing::On)))
{
    for (int i = 0; i < kSets; ++i) {
        m_inputs.push_back(need(device.allocate(Allocation::Device, rgbaBytes())));
        m_outputs.push_back(need(device.allocate(Allocation::Device, rgbaBytes())));
        m_results.push_back(need(device.allocate(Allocation::Device, rgbaBytes() / 8)));
        fill(*m_inputs.back(), static_cast<unsigned>(i));
    }
}

std::size_t GpuBench::movedBytes(PixelFormat format, bool withResult)
{
    return pictureBytes(makeImageLayout(format, kWidth, kHeight)) + rgbaBytes() + (withResult ? rgbaBytes() / 16 : 0);
}

GpuBench::Work GpuBench::copy(std::size_t bytes)
{
    return [this, bytes](std::size_t set) {
        need(m_device.copyAsync(outputRange(set, bytes), inputRange(set, bytes), CopyKind::DeviceToDevice, *m_stream));
    };
}

GpuBench::Work GpuBench::chain(const ImageLayout &layout, const std::vector<Filter> &filters, bool withResult)
{
    ChainLaunch launch;
    launch.inputLayout = layout;
    launch.filters = filters;
    launch.outputPitch = std::size_t{4} * kWidth;
    launch.resultPitch = kWidth / 2;
    return [this, launch, withResult](std::size_t set) mutable {
        launch.input = inputRange(set, launch.inputLayout.bytes);
        launch.output = outputRange(set, rgbaBytes());
        launch.result = withResult ? wholeOf(*m_results[set]) : BufferRange();
        need(m_device.launch(launch, *m_stream));
    };
}

void GpuBench::fill(Buffer &buffer, unsigned seed)
{
    const std::unique_ptr<Buffer> host = need(m_device.allocate(Allocation::Pinned, buffer.bytes()));
    std::mt19937_64 random(seed);
    auto *words = reinterpret_cast<std::uint64_t *>(host->host());
    for (std::size_t i = 0; i < buffer.bytes() / sizeof *words; ++i)
        words[i] = random();
    need(m_device.copyAsync(wholeOf(buffer), wholeOf(*host), CopyKind::HostToDevice, *m_stream));
    need(m_device.synchronize(*m_stream));
}

double GpuBench::batchUs(const Work &work)
{
    need(m_device.record(*m_begin, *m_stream));
    for (std::size_t i = 0; i < kLaunchesPerBatch; ++i)
        work(i % kSets);
    need(m_device.record(*m_end, *m_stream));
    need(m_device.synchronize(*m_stream));
    return static_cast<double>(need(m_device.elapsedNs(*m_begin, *m_end))) / 1000 / kLaunchesPerBatch;
}

std::vector<GpuTiming> GpuBench::time(const std::vector<Work> &works)
{
    for (const Work &work : works)
        for (std::size_t set = 0; set < kSets; ++set)
            work(set);
    std::vector<std::vector<double>> us(works.size());
    for (int batch = 0; batch < m_batches; ++batch)
        for (std::size_t i = 0; i < works.size(); ++i)
            us[i].push_back(batchUs(works[i]));
    std::vector<GpuTiming> timings;
    for (const std::vector<double> &batches : us)
        timings.push_back({quantile(batches, 0.5), quantile(batches, 0.1), quantile(batches, 0.9)});
    return timings;
}

std::string caseName(PixelFormat format, const std::vector<Filter> &filters, bool withResult)
{
    return std::string(pixelFormatName(format)) + " " + (filters.empty() ? "convert" : filterNames(filters, "+"))
        + (withResult ? " +half" : "");
}

} // namespace jetscope
