// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudastamps.h"

#include "core/time/clock.h"
#include "gpu/cuda/check.h"
#include "gpu/cuda/cudamemory.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/cuda/kernels/clockkernels.h"
#include "gpu/cuda/kernels/passes.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace jetscope {

namespace {

/// The time limit for a clock reading. An idle device answers within about 10 us; one that another context uses (such
/// as GL's) answers in its next time slice.
constexpr std::int64_t kClockTimeoutNs = 1'000'000;
/// Each sample bounds the difference of the clocks from both sides; the best of a few is far better than one.
constexpr unsigned long long kSamplesAMoment = 8;

KernelTimes timesOf(const KernelStamp &stamp)
{
    const unsigned long long first = stamp.notFirst == 0 ? 0 : ~stamp.notFirst;
    return {first, *std::max_element(std::begin(stamp.last), std::end(stamp.last))};
}

class CudaStamps final : public KernelStamps {
public:
    struct Memory {
        std::unique_ptr<Buffer> slots;   ///< KernelStamp array on the device.
        std::unique_ptr<Buffer> fetched; ///< The same on the host, page-locked.
        std::unique_ptr<Buffer> clock;   ///< One ClockExchange that host and device access.
    };

    /// What is measured at the start.
    struct Measured {
        std::int64_t stepNs = 0;
        std::int64_t unseenNs = 0;
    };

    CudaStamps(std::size_t slotCount, Measured measured, Memory memory, std::unique_ptr<Stream> stream,
               cudaEvent_t arrived)
        : KernelStamps(slotCount, measured.stepNs, measured.unseenNs),
          m_memory(std::move(memory)),
          m_stream(std::move(stream)),
          m_arrived(arrived)
    {
    }

    ~CudaStamps() override
    {
        // Both fail only if the context is lost, and all its objects with it.
        static_cast<void>(cudaStreamSynchronize(native()));
        static_cast<void>(cudaEventDestroy(m_arrived));
    }
    CudaStamps(const CudaStamps &) = delete;
    CudaStamps &operator=(const CudaStamps &) = delete;

    void *slot(std::size_t index) override { return m_memory.slots->device() + index * sizeof(KernelStamp); }

    Status fetch(std::size_t first, std::size_t count) override
    {
        const std::size_t before = std::min(count, slotCount() - first); // Before the end of the ring.
        JETSCOPE_TRY(take(first, before));
        JETSCOPE_TRY(take(0, count - before));
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
        return timesOf(reinterpret_cast<const KernelStamp *>(m_memory.fetched->host())[index]);
    }

    Result<std::vector<ClockSample>> sampleClock() override
    {
        std::vector<ClockSample> samples;
        const cudaError_t former = cudaStreamQuery(native());
        if (former == cudaErrorNotReady) {
            static_cast<void>(cudaGetLastError());
            return samples; // The last exchange, or a fetch, is still queued.
        }
        JETSCOPE_TRY(cudaStatus("cudaStreamQuery", former));
        auto &exchange = *reinterpret_cast<cuda::ClockExchange *>(m_memory.clock->host());
        const std::atomic_ref<unsigned long long> request(exchange.request);
        const std::atomic_ref<unsigned long long> reply(exchange.reply);
        const unsigned long long first = m_answered + 2; // The reply before it shows that the kernel runs.
        request.store(first - 1, std::memory_order_release);
        m_answered = first + kSamplesAMoment - 1;
        CUDA_TRY(cuda::answerClockRequests(reinterpret_cast<cuda::ClockExchange *>(m_memory.clock->device()), first,
                                           m_answered, native()));
        const std::int64_t giveUpNs = nowNs() + kClockTimeoutNs;
        bool answers = waitForReply(reply, first - 1, giveUpNs);
        for (unsigned long long number = first; answers && number <= m_answered; ++number) {
            ClockSample sample;
            sample.beforeNs = nowNs();
            request.store(number, std::memory_order_release);
            answers = waitForReply(reply, number, giveUpNs);
            sample.afterNs = nowNs();
            sample.deviceNs = exchange.ns;
            if (answers)
                samples.push_back(sample);
        }
        request.store(cuda::ClockExchange::kStop, std::memory_order_release);
        return samples;
    }

private:
    static bool waitForReply(const std::atomic_ref<unsigned long long> &reply, unsigned long long number,
                             std::int64_t giveUpNs)
    {
        while (reply.load(std::memory_order_acquire) != number)
            if (nowNs() > giveUpNs)
                return false;
        return true;
    }

    cudaStream_t native() const { return static_cast<const CudaStream &>(*m_stream).native(); }

    /// Copies slots and clears them. They are reused only after all others.
    Status take(std::size_t first, std::size_t count)
    {
        if (count == 0)
            return {};
        CUDA_TRY(cudaMemcpyAsync(m_memory.fetched->host() + first * sizeof(KernelStamp),
                                 m_memory.slots->device() + first * sizeof(KernelStamp), count * sizeof(KernelStamp),
                                 cudaMemcpyDeviceToHost, native()));
        CUDA_TRY(cudaMemsetAsync(m_memory.slots->device() + first * sizeof(KernelStamp), 0, count * sizeof(KernelStamp),
                                 native()));
        return {};
    }

    const Memory m_memory;
    const std::unique_ptr<Stream> m_stream; ///< Separate, so that fetches and clock readings do not wait for frames.
    const cudaEvent_t m_arrived;
    unsigned long long m_answered = 0; ///< Number of the last request of the last exchange.
};

/// The median of many measurements, so that an interrupted one has no effect.
Result<std::int64_t> measureStep(cudaStream_t stream)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> memory,
                        CudaBuffer::allocate(Allocation::PinnedMapped, cuda::kClockSteps * sizeof(unsigned long long)));
    auto *steps = reinterpret_cast<unsigned long long *>(memory->host());
    CUDA_TRY(cuda::readClockSteps(reinterpret_cast<unsigned long long *>(memory->device()), stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    std::sort(steps, steps + cuda::kClockSteps);
    return static_cast<std::int64_t>(steps[cuda::kClockSteps / 2]);
}

/// The time from the last stamp of a kernel to the first one of the next kernel, which was queued long before: the end
/// of the one and the launch of the other, and whatever lies between. The third quartile, because another context may
/// take the GPU between two kernels.
Result<std::int64_t> measureUnseen(const CudaStamps::Memory &memory, cudaStream_t stream)
{
    constexpr std::size_t kBytes = cuda::kTrainKernels * sizeof(KernelStamp);
    auto *const slots = reinterpret_cast<KernelStamp *>(memory.slots->device());
    CUDA_TRY(cuda::launchTrain(slots, stream));
    CUDA_TRY(cudaMemcpyAsync(memory.fetched->host(), slots, kBytes, cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(cudaMemsetAsync(slots, 0, kBytes, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    const auto *stamps = reinterpret_cast<const KernelStamp *>(memory.fetched->host());
    std::vector<std::int64_t> gaps;
    for (int i = 1; i < cuda::kTrainKernels; ++i) {
        const auto lastNs = static_cast<std::int64_t>(timesOf(stamps[i - 1]).lastNs);
        gaps.push_back(std::max<std::int64_t>(static_cast<std::int64_t>(timesOf(stamps[i]).firstNs) - lastNs, 0));
    }
    const auto at = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() * 3 / 4);
    std::nth_element(gaps.begin(), at, gaps.end());
    return *at;
}

Result<CudaStamps::Memory> allocateMemory(std::size_t slotCount)
{
    CudaStamps::Memory memory;
    const std::size_t bytes = slotCount * sizeof(KernelStamp);
    Result<std::unique_ptr<Buffer>> device = CudaBuffer::allocate(Allocation::Device, bytes);
    Result<std::unique_ptr<Buffer>> host = CudaBuffer::allocate(Allocation::Pinned, bytes);
    Result<std::unique_ptr<Buffer>> clock = CudaBuffer::allocate(Allocation::PinnedMapped, sizeof(cuda::ClockExchange));
    for (const auto *buffer : {&device, &host, &clock})
        if (!buffer->ok())
            return buffer->error();
    memory.slots = std::move(device).value();
    memory.fetched = std::move(host).value();
    memory.clock = std::move(clock).value();
    *reinterpret_cast<cuda::ClockExchange *>(memory.clock->host()) = {};
    CUDA_TRY(cudaMemset(memory.slots->device(), 0, bytes));
    CUDA_TRY(cudaStreamSynchronize(nullptr)); // The streams of frames do not wait for it.
    return memory;
}

} // namespace

Result<std::unique_ptr<KernelStamps>> createCudaStamps(std::size_t slotCount)
{
    JETSCOPE_TRY_ASSIGN(CudaStamps::Memory memory,
                        allocateMemory(std::max<std::size_t>(slotCount, cuda::kTrainKernels)));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Stream> stream, CudaStream::create());
    const cudaStream_t native = static_cast<CudaStream &>(*stream).native();
    CudaStamps::Measured measured;
    JETSCOPE_TRY_ASSIGN(measured.stepNs, measureStep(native));
    JETSCOPE_TRY_ASSIGN(measured.unseenNs, measureUnseen(memory, native));
    cudaEvent_t arrived = nullptr;
    CUDA_TRY(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
    return std::unique_ptr<KernelStamps>(
        std::make_unique<CudaStamps>(slotCount, measured, std::move(memory), std::move(stream), arrived));
}

} // namespace jetscope
