// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/time/clock.h"
#include "gpu/device/device.h"
#include "gpu/device/hostmemory.h"
#include "gpu/gl/display.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Nanoseconds that a call takes; its error.
template <class Call>
Result<double> nanosecondsFor(Call call)
{
    const std::int64_t begin = nowNs();
    JETSCOPE_TRY(call());
    return static_cast<double>(nowNs() - begin);
}

/// The median over so many calls.
Result<double> medianNanoseconds(int count, const std::function<Status()> &call);

/// What the measurements of a device share: a stream, and other memory that is read or written to displace a buffer
/// from the caches. While it exists, the device waits by spinning (the software iGPU by blocking). The owner of the
/// device uses it on one thread.
class ProbeBench {
public:
    /// The device outlives the bench. `display` may be null: nothing of GL is measured then.
    static Result<std::unique_ptr<ProbeBench>> create(Device &device, std::shared_ptr<EglDisplay> display, int width,
                                                      int height);
    ~ProbeBench();
    ProbeBench(const ProbeBench &) = delete;
    ProbeBench &operator=(const ProbeBench &) = delete;

    Device &device() { return m_device; }
    Stream &stream() { return *m_stream; }
    const std::shared_ptr<EglDisplay> &display() const { return m_display; }
    int width() const { return m_width; }
    int height() const { return m_height; }
    std::size_t frameBytes() const
    {
        return static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height) * 4;
    }

    /// Writes other memory, so that the CPU's caches do not have what was used before.
    void clearCpuCaches();
    /// Appends work that does the same for the device's caches.
    Status clearDeviceCaches();
    /// Launches a kernel that does almost nothing.
    Status launchEmpty() { return m_device.readMemory({m_small.get(), 0, kSmallBytes}, 1, *m_stream); }
    Status synchronize() { return m_device.synchronize(*m_stream); }
    /// How long such a launch and the wait for it take: what is no part of reading.
    Result<double> emptyLaunchNs();
    WaitPolicy quickWait() const;

    /// How long pieces of work take on the device, one after the other, from events between them and without the time
    /// of an empty launch; not positive if the work is shorter than that. Clears the device's caches first, and waits
    /// for the end. The stream is held until all work is submitted, so that no launch delays it.
    Result<std::vector<double>> deviceTimes(const std::vector<std::function<Status()>> &work);

    /// How caches are cleared and figures are made, in sentences.
    std::string method() const;

private:
    static constexpr std::size_t kSmallBytes = 1024;

    ProbeBench(Device &device, std::shared_ptr<EglDisplay> display, int width, int height);
    Status allocate();
    Status submitTimed(const std::vector<std::function<Status()>> &work);

    Device &m_device;
    const std::shared_ptr<EglDisplay> m_display;
    const int m_width;
    const int m_height;
    const WaitPolicy m_policyBefore;
    std::unique_ptr<Stream> m_stream;
    HostMemory m_other;
    std::size_t m_otherBytes = 0;
    unsigned char m_otherValue = 0;
    std::unique_ptr<Buffer> m_deviceOther; ///< Null on the software iGPU, whose caches are the CPU's.
    std::unique_ptr<Buffer> m_small;
    std::vector<std::unique_ptr<Event>> m_events; ///< With timing; made when first needed.
};

/// A frame of one kind of memory (probeMemories) as CPU and device use it by turns. Its functions do what the kind
/// demands: attachment, prefetch, or nothing.
class MeasuredMemory {
public:
    /// Memory that both sides have used before. The error is the reason why the device does not have the kind, or why
    /// there is nothing to measure.
    static Result<std::unique_ptr<MeasuredMemory>> create(ProbeBench &bench, std::string_view kind, std::size_t bytes);

    bool cpuReaches() const { return m_buffer->allocation() != Allocation::Device; }
    bool deviceReaches() const;
    /// The device is idle when these return.
    Status giveToDevice();
    Status giveToCpu();

    void write();
    void read(int passes);
    /// Appends a kernel that reads so many times in full.
    Status readOnDevice(int passes);
    std::size_t bytes() const { return m_buffer->bytes(); }
    Buffer &buffer() { return *m_buffer; }

private:
    /// Goes through a cycle of a frame, so that no later one includes the first use of pages.
    Status touch();

    enum class HandOver { None, Attach, Prefetch };
    MeasuredMemory(ProbeBench &bench, HandOver handOver) : m_bench(bench), m_handOver(handOver) {}
    static std::string absence(const DeviceFacts &facts, std::string_view kind);

    ProbeBench &m_bench;
    const HandOver m_handOver;
    HostMemory m_pageable; ///< The registered memory; outlives the registration.
    std::unique_ptr<Buffer> m_buffer;
    unsigned char m_value = 0;
};

} // namespace jetscope
