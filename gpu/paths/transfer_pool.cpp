// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Pinned memory and a pool: each frame allocates its memory on the device in its stream (cudaMallocAsync) and frees it
// there. The pool keeps what one frame in each stream needs, or every wait would give it back to the system (rule A19).
#include "core/recording/tracer.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/gputime/gputimer.h"
#include "gpu/paths/transferbuffer.h"

namespace jetscope {

namespace {

class PoolTransfer final : public TransferBuffer {
public:
    PoolTransfer(Direction direction, const ImageLayout &layout, const TransferContext &context,
                 std::unique_ptr<Buffer> host)
        : TransferBuffer(context.device),
          m_direction(direction),
          m_layout(layout),
          m_context(context),
          m_host(std::move(host))
    {
    }

    BufferRange memory() const override { return wholeOf(*m_host); }

    Status acquire(std::uint32_t frame, Stream &stream, ChainLaunch &launch) override
    {
        // The work that used the former allocation is done: this buffer is not in use.
        JETSCOPE_TRY_ASSIGN(m_pooled, m_device.allocateInStream(m_layout.bytes, stream));
        pointLaunch(launch, m_direction, *m_pooled, m_layout);
        if (m_direction == Direction::Result)
            return {};
        static const NameId kCopy = internName("copy to device", Category::Copy, Purpose::InputCopy);
        return copy(kCopy, frame, *m_pooled, *m_host, CopyKind::HostToDevice, stream);
    }

    Status release(std::uint32_t frame, Stream &stream) override
    {
        static const NameId kCopy = internName("copy to host", Category::Copy, Purpose::InputCopy);
        if (m_direction == Direction::Result)
            JETSCOPE_TRY(copy(kCopy, frame, *m_host, *m_pooled, CopyKind::DeviceToHost, stream));
        return m_device.freeInStream(*m_pooled, stream);
    }

    std::uint64_t bytesCopied() const override { return pictureBytes(m_layout); }

private:
    Status copy(NameId name, std::uint32_t frame, Buffer &to, Buffer &from, CopyKind kind, Stream &stream)
    {
        JETSCOPE_TRY(m_context.timer.beginCopy(stream, name, frame, bytesCopied(), kind));
        JETSCOPE_TRY(m_device.copyAsync(wholeOf(to), wholeOf(from), kind, stream));
        return m_context.timer.end();
    }

    const Direction m_direction;
    const ImageLayout m_layout;
    const TransferContext m_context;
    const std::unique_ptr<Buffer> m_host;
    std::unique_ptr<Buffer> m_pooled; ///< Of the newest frame; freed in its stream.
};

} // namespace

Result<std::unique_ptr<TransferBuffer>> createPoolTransfer(TransferBuffer::Direction direction,
                                                           const ImageLayout &layout, const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(const PoolUse use, context.device.poolUse());
    // A frame and a result in each stream, and more for drivers that reserve large pages: a pool above its threshold
    // gives back at every wait.
    constexpr std::uint64_t kReserved = std::uint64_t{64} << 20U;
    if (const std::uint64_t wanted = 2 * std::uint64_t{kMaxStreams} * layout.bytes + kReserved;
        use.releaseThreshold < wanted)
        JETSCOPE_TRY(context.device.keepInPool(wanted));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> host, context.device.allocate(Allocation::Pinned, layout.bytes));
    return std::unique_ptr<TransferBuffer>(std::make_unique<PoolTransfer>(direction, layout, context, std::move(host)));
}

} // namespace jetscope
