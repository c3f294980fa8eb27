// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudastamps.h"

#include "core/clock.h"
#include "gpu/cuda/check.h"
#include "gpu/cuda/clockkernels.h"
#include "gpu/cuda/cudamemory.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/cuda/passes.h"

#include <algorithm>
#include <atomic>

namespace jetscope {

namespace {

/// How long the clock is waited for. An idle device answers within some 10 us; one that another context has answers when
/// its turn comes.
constexpr std::int64_t kClockPatienceNs = 100'000;

class CudaStamps final : public KernelStamps {
public:
    struct Memory {
        std::unique_ptr<Buffer> slots;   ///< KernelStamp, on the device.
        std::unique_ptr<Buffer> fetched; ///< The same on the host, page-locked.
        std::unique_ptr<Buffer> clock;   ///< One ClockReading that both reach.
    };

    CudaStamps(std::size_t slotCount, std::int64_t stepNs, Memory memory, std::unique_ptr<Stream> stream, cudaEvent_t arrived) :
        KernelStamps(slotCount, stepNs), m_memory(std::move(memory)), m_stream(std::move(stream)), m_arrived(arrived)
    {
    }

    ~CudaStamps() override
    {
        // Both fail only when the context is lost, and everything with it.
        static_cast<void>(cudaStreamSynchronize(native()));
        static_cast<void>(cudaEventDestroy(m_arrived));
    }
    CudaStamps(const CudaStamps &) = delete;
    CudaStamps &operator=(const CudaStamps &) = delete;

    void *slot(std::size_t index) override { return m_memory.slots->device() + index * sizeof(KernelStamp); }

    Status fetch(std::size_t first, std::size_t count) override
    {
        const std::size_t before = std::min(count, slotCount() - first); // Before the end of the ring.
        JETSCOPE_TRY(copy(first, before));
        JETSCOPE_TRY(copy(0, count - before));
        CUDA_TRY(cudaEventRecord(m_arrived, native()));
        return {};
    }

    Result<bool> fetched() override
    {
        const cudaError_t code = cudaEventQuery(m_arrived);
        if (code == cudaErrorNotReady) {
            static_cast<void>(cudaGetLastError());
            return false;
        }
        JETSCOPE_TRY(cudaStatus("cudaEventQuery", code));
        return true;
    }

    KernelTimes times(std::size_t index) const override
    {
        const auto &stamp = reinterpret_cast<const KernelStamp *>(m_memory.fetched->host())[index];
        return {stamp.first, *std::max_element(std::begin(stamp.last), std::end(stamp.last))};
    }

    Result<std::optional<ClockSample>> sampleClock() override
    {
        auto &reading = *reinterpret_cast<cuda::ClockReading *>(m_memory.clock->host());
        const std::atomic_ref<unsigned long long> sequence(reading.sequence);
        if (sequence.load(std::memory_order_acquire) != m_sequence)
            return std::optional<ClockSample>(); // The last one has not even answered.
        ClockSample sample;
        sample.beforeNs = nowNs();
        CUDA_TRY(cuda::readClock(reinterpret_cast<cuda::ClockReading *>(m_memory.clock->device()), ++m_sequence, native()));
        do {
            const bool answered = sequence.load(std::memory_order_acquire) == m_sequence;
            sample.afterNs = nowNs();
            if (answered) {
                sample.deviceNs = reading.ns;
                return std::optional(sample);
            }
        } while (sample.afterNs - sample.beforeNs < kClockPatienceNs);
        return std::optional<ClockSample>();
    }

private:
    cudaStream_t native() const { return static_cast<const CudaStream &>(*m_stream).native(); }

    Status copy(std::size_t first, std::size_t count)
    {
        if (count == 0)
            return {};
        CUDA_TRY(cudaMemcpyAsync(m_memory.fetched->host() + first * sizeof(KernelStamp),
                                 m_memory.slots->device() + first * sizeof(KernelStamp), count * sizeof(KernelStamp),
                                 cudaMemcpyDeviceToHost, native()));
        return {};
    }

    const Memory m_memory;
    const std::unique_ptr<Stream> m_stream; ///< Of its own, so that neither fetches nor clock readings wait for frames.
    const cudaEvent_t m_arrived;
    unsigned long long m_sequence = 0;
};

/// The middle one of many, so that an interrupted one does not count.
Result<std::int64_t> measureStep(cudaStream_t stream)
{
    Result<std::unique_ptr<Buffer>> memory =
        CudaBuffer::allocate(Allocation::PinnedMapped, cuda::kClockSteps * sizeof(unsigned long long));
    if (!memory.ok())
        return memory.error();
    auto *steps = reinterpret_cast<unsigned long long *>(memory.value()->host());
    CUDA_TRY(cuda::readClockSteps(reinterpret_cast<unsigned long long *>(memory.value()->device()), stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    std::sort(steps, steps + cuda::kClockSteps);
    return static_cast<std::int64_t>(steps[cuda::kClockSteps / 2]);
}

Result<CudaStamps::Memory> allocateMemory(std::size_t slotCount)
{
    CudaStamps::Memory memory;
    const std::size_t bytes = slotCount * sizeof(KernelStamp);
    Result<std::unique_ptr<Buffer>> device = CudaBuffer::allocate(Allocation::Device, bytes);
    Result<std::unique_ptr<Buffer>> host = CudaBuffer::allocate(Allocation::Pinned, bytes);
    Result<std::unique_ptr<Buffer>> clock = CudaBuffer::allocate(Allocation::PinnedMapped, sizeof(cuda::ClockReading));
    for (const auto *buffer : {&device, &host, &clock})
        if (!buffer->ok())
            return buffer->error();
    memory.slots = std::move(device).value();
    memory.fetched = std::move(host).value();
    memory.clock = std::move(clock).value();
    *reinterpret_cast<cuda::ClockReading *>(memory.clock->host()) = {};
    CUDA_TRY(cudaMemset(memory.slots->device(), 0, bytes));
    return memory;
}

} // namespace

Result<std::unique_ptr<KernelStamps>> createCudaStamps(std::size_t slotCount)
{
    Result<CudaStamps::Memory> memory = allocateMemory(slotCount);
    if (!memory.ok())
        return memory.error();
    Result<std::unique_ptr<Stream>> stream = CudaStream::create();
    if (!stream.ok())
        return stream.error();
    const Result<std::int64_t> stepNs = measureStep(static_cast<CudaStream &>(*stream.value()).native());
    if (!stepNs.ok())
        return stepNs.error();
    cudaEvent_t arrived = nullptr;
    CUDA_TRY(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
    return std::unique_ptr<KernelStamps>(std::make_unique<CudaStamps>(slotCount, stepNs.value(), std::move(memory).value(),
                                                                      std::move(stream).value(), arrived));
}

} // namespace jetscope
