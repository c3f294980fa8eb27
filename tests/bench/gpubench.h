// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/device/device.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Ends the program and prints the reason to stderr.
[[noreturn]] void give(const Error &error);

template <class T>
T need(Result<T> result)
{
    if (!result.ok())
        give(result.error());
    return std::move(result).value();
}

inline void need(const Status &status)
{
    if (!status.ok())
        give(status.error());
}

struct GpuTiming {
    double medianUs = 0; ///< Median of the batches' means.
    double lowUs = 0;    ///< 10th and 90th percentile of the batches.
    double highUs = 0;
};

/// Times work on frames of 3840x2160 pixels. Rotates several inputs and outputs that together exceed any GPU's cache.
class GpuBench {
public:
    static constexpr int kWidth = 3840;
    static constexpr int kHeight = 2160;
    static constexpr int kSets = 8;
    static constexpr int kLaunchesPerBatch = 24;

    /// One launch from the input of a set to its output.
    using Work = std::function<void(std::size_t set)>;

    GpuBench(Device &device, int batches);

    Stream &stream() { return *m_stream; }
    std::byte *input(std::size_t set) const { return m_inputs[set]->device(); }
    std::byte *output(std::size_t set) const { return m_outputs[set]->device(); }
    BufferRange inputRange(std::size_t set, std::size_t bytes) const { return {m_inputs[set].get(), 0, bytes}; }
    BufferRange outputRange(std::size_t set, std::size_t bytes) const { return {m_outputs[set].get(), 0, bytes}; }

    /// Bytes of an RGBA8 frame, the maximum size of an input or an output.
    static std::size_t rgbaBytes() { return std::size_t{4} * kWidth * kHeight; }
    /// The bytes that a filter must move: every input byte read once, every output byte written once.
    static std::size_t movedBytes(PixelFormat format, bool withResult);

    Work copy(std::size_t bytes);
    /// Through Device::launch, like the pipeline.
    Work chain(const ImageLayout &layout, const std::vector<Filter> &filters, bool withResult);

    /// Returns one timing per work. Batches of all alternate, so that a change of the clock rate affects all of them.
    std::vector<GpuTiming> time(const std::vector<Work> &works);

private:
    void fill(Buffer &buffer, unsigned seed);
    double batchUs(const Work &work);

    Device &m_device;
    const int m_batches;
    const std::unique_ptr<Stream> m_stream;
    const std::unique_ptr<Event> m_begin;
    const std::unique_ptr<Event> m_end;
    std::vector<std::unique_ptr<Buffer>> m_inputs;
    std::vector<std::unique_ptr<Buffer>> m_outputs;
    std::vector<std::unique_ptr<Buffer>> m_results;
};

/// "NV12 gaussian5+sobel +half"
std::string caseName(PixelFormat format, const std::vector<Filter> &filters, bool withResult);

} // namespace jetscope
