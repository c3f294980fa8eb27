// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/device/cpuaccess.h"
#include "gpu/device/device.h"
#include "gpu/sources/framesource.h"

#include <cstdint>
#include <memory>

namespace jetscope {

class GpuTimer;
class FrameSync;
class GlQueue;
class StreamInput;
class ExternalBufferRegistry;

/// Where the source's own buffers are registered and how they reach the device; no registry if the source has no
/// buffers of its own.
struct ExternalInput {
    ExternalBufferRegistry *registry = nullptr;
    ExternalBufferView view = ExternalBufferView::Bytes;
    std::shared_ptr<StreamInput> stream{}; ///< ExternalBufferView::Stream only.
};

/// What a transfer may use from the pipeline; all of it outlives the buffers. Pipeline thread.
struct TransferContext {
    Device &device;
    GlQueue &queue;
    FrameSync *sync; ///< For the hand-over of a GL texture; null for results.
    GpuTimer &timer;
    Stream &setupStream; ///< For one-time set-up before the first frame.
    ExternalInput externalInput{};
    bool cpuReadsInputs = false; ///< Beside the kernels that read the same frame.
};

/// One buffer that CPU and device use in turns, in one memory kind: this is where a memory kind is written down. A
/// frame's life: the CPU writes it (`write`, input) -> `acquire` -> kernels -> `release` -> the frame's done event is
/// observed -> the CPU reads it (`fetch`, `read`, result) or writes again (input). Pipeline thread, but for reading and
/// writing the memory itself.
class TransferBuffer {
public:
    enum class Direction { Input, Result };

    virtual ~TransferBuffer() = default;

    /// Where the CPU writes an input and reads a result; page-aligned. The CPU may touch it whenever the buffer is not
    /// between `acquire` and the observation of the done event. No memory where frames lie in the source's own buffers.
    virtual BufferRange memory() const = 0;
    /// The calling thread's access to it. Any thread.
    CpuWrite write() { return {m_device, memory()}; }
    CpuRead read() { return {m_device, memory()}; }

    /// Instead of writing, where there is no memory: the frame to read, until `detach`. Any thread.
    virtual void attach(ExternalFrame frame) { static_cast<void>(frame); }
    /// Returns the attached frame, which must no longer be in use. Any thread.
    virtual ExternalFrame detach() { return {}; }

    /// Its memory as a DMA-BUF, for a source that imports it; negative where it is none. The buffer keeps it open.
    virtual int dmabuf() const { return -1; }

    /// Makes the memory accessible to the device, in stream order: copies, attaches or uploads it. Sets the launch's
    /// input or result.
    virtual Status acquire(std::uint32_t frame, Stream &stream, ChainLaunch &launch) = 0;

    /// Follows the kernels in stream order: copies back, or attaches to the host.
    virtual Status release(std::uint32_t frame, Stream &stream)
    {
        static_cast<void>(frame);
        static_cast<void>(stream);
        return {};
    }

    /// Whether `acquire` and `release` only put copies into the stream whose addresses stay, so that they may be
    /// repeated for another frame without being called.
    virtual bool isRepeatable() const { return false; }

    /// Results only: whether `fetch` must run on the pipeline thread before the next launch (memory that the CPU may
    /// touch only while the device is idle).
    virtual bool fetchNeedsIdleDevice() const { return false; }
    /// Then, once the done event is observed: brings the result to where `read` finds it until the buffer is acquired
    /// again.
    virtual Status fetch(std::uint32_t frame)
    {
        static_cast<void>(frame);
        return {};
    }

    /// Inputs only: the memory that the kernels read, for a CPU that reads the same input at the same time.
    virtual BufferRange sharedMemory() const { return memory(); }
    CpuRead readShared() { return {m_device, sharedMemory()}; }
    /// Whether the memory kind itself demands that the CPU waits for the frame's done event before it reads a result or
    /// a shared input, whatever the sync mode does.
    virtual bool cpuWaitsForEvent() const { return false; }

    /// Bytes copied per round trip, CPU copies included.
    virtual std::uint64_t bytesCopied() const = 0;

protected:
    explicit TransferBuffer(Device &device) : m_device(device) {}
    TransferBuffer(const TransferBuffer &) = delete;
    TransferBuffer &operator=(const TransferBuffer &) = delete;

    Device &m_device;
};

/// Creates a buffer for one frame (Input) or one result (Result, always Grey8) of this layout.
Result<std::unique_ptr<TransferBuffer>> createTransferBuffer(MemoryKind kind, TransferBuffer::Direction direction,
                                                             const ImageLayout &layout, const TransferContext &context);

/// Sets the input or the result of a launch, which begins where the buffer does.
void pointLaunch(ChainLaunch &launch, TransferBuffer::Direction direction, Buffer &buffer, const ImageLayout &layout);

// One factory per memory kind, each in the file named after it.
using TransferFactory = Result<std::unique_ptr<TransferBuffer>>(TransferBuffer::Direction, const ImageLayout &,
                                                                const TransferContext &);
TransferFactory createPageableTransfer;
TransferFactory createPinnedTransfer;
TransferFactory createZeroCopyTransfer;
TransferFactory createUnifiedTransfer;
TransferFactory createAttachTransfer;
TransferFactory createRegisteredTransfer;
TransferFactory createGlTextureTransfer;
TransferFactory createExternalTransfer;
TransferFactory createSystemTransfer;
TransferFactory createPrefetchTransfer;
TransferFactory createRegisteredIoTransfer;
TransferFactory createPoolTransfer;
TransferFactory createDmabufTransfer;

} // namespace jetscope
