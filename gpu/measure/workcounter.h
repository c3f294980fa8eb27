// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/forwardingdevice.h"

#include <atomic>
#include <cstdint>
#include <ctime>
#include <memory>
#include <utility>

namespace jetscope {

/// What a pipeline has asked of its device so far. Any thread.
struct WorkCounts {
    std::atomic<std::uint64_t> starts{0}; ///< Calls that start work: of copies, kernels and graphs.
    std::atomic<std::uint64_t> frames{0};
    std::atomic<std::int64_t> cpuNs{0}; ///< CPU time of the pipeline thread at its newest frame.
};

/// Counts the calls of a pipeline whose device work nobody times, so that one event is recorded a frame.
class WorkCounter final : public ForwardingDevice, private KernelObserver {
public:
    WorkCounter(std::unique_ptr<Device> device, std::shared_ptr<WorkCounts> counts)
        : ForwardingDevice(std::move(device)), m_counts(std::move(counts))
    {
    }

    Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream) override
    {
        count();
        return ForwardingDevice::copyAsync(to, from, kind, stream);
    }
    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        ChainLaunch watched = work;
        if (!watched.kernels)
            watched.kernels = this;
        m_kernels = 0;
        const Status launched = ForwardingDevice::launch(watched, stream);
        for (int kernel = 0; kernel < std::max(1, m_kernels); ++kernel)
            count();
        return launched;
    }
    Status beginCapture(Stream &stream) override
    {
        m_isCapturing = true;
        return ForwardingDevice::beginCapture(stream);
    }
    Result<std::unique_ptr<Graph>> endCapture(Stream &stream, std::unique_ptr<Graph> former) override
    {
        m_isCapturing = false;
        return ForwardingDevice::endCapture(stream, std::move(former));
    }
    Status launchGraph(Graph &graph, Stream &stream) override
    {
        count();
        return ForwardingDevice::launchGraph(graph, stream);
    }
    Status record(Event &event, Stream &stream) override
    {
        timespec cpu{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
        m_counts->cpuNs.store(cpu.tv_sec * 1'000'000'000 + cpu.tv_nsec, std::memory_order_relaxed);
        m_counts->frames.fetch_add(1, std::memory_order_relaxed);
        return ForwardingDevice::record(event, stream);
    }

private:
    void *kernel(NameId) override
    {
        ++m_kernels;
        return nullptr;
    }
    void copy(NameId, std::uint64_t) override { ++m_kernels; }
    void unknownKernels(NameId) override { ++m_kernels; }

    void count()
    {
        if (!m_isCapturing)
            m_counts->starts.fetch_add(1, std::memory_order_relaxed);
    }

    const std::shared_ptr<WorkCounts> m_counts;
    bool m_isCapturing = false;
    int m_kernels = 0; ///< Of the launch in progress.
};

} // namespace jetscope
