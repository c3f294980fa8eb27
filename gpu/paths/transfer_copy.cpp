// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Pageable and pinned copies: CPU and device have separate memory, and the device copies between the two.
#include "core/recording/tracer.h"
#include "gpu/gputime/gputimer.h"
#include "gpu/paths/transferbuffer.h"

namespace jetscope {

namespace {

class CopyTransfer final : public TransferBuffer {
public:
    CopyTransfer(Direction direction, const ImageLayout &layout, const TransferContext &context)
        : TransferBuffer(context.device), m_direction(direction), m_layout(layout), m_context(context)
    {
    }

    static Result<std::unique_ptr<TransferBuffer>> create(bool pinned, Direction direction, const ImageLayout &layout,
                                                          const TransferContext &context)
    {
        auto transfer = std::make_unique<CopyTransfer>(direction, layout, context);
        JETSCOPE_TRY(transfer->allocate(pinned));
        return std::unique_ptr<TransferBuffer>(std::move(transfer));
    }

    Status allocate(bool pinned)
    {
        JETSCOPE_TRY_ASSIGN(
            m_host, m_context.device.allocate(pinned ? Allocation::Pinned : Allocation::Pageable, m_layout.bytes));
        JETSCOPE_TRY_ASSIGN(m_deviceSide, m_context.device.allocate(Allocation::Device, m_layout.bytes));
        return {};
    }

    BufferRange memory() const override { return wholeOf(*m_host); }

    Status acquire(std::uint32_t frame, Stream &stream, ChainLaunch &launch) override
    {
        pointLaunch(launch, m_direction, *m_deviceSide, m_layout);
        if (m_direction == Direction::Result)
            return {};
        static const NameId kCopy = internName("copy to device", Category::Copy, Purpose::InputCopy);
        return copy(kCopy, frame, *m_deviceSide, *m_host, CopyKind::HostToDevice, stream);
    }

    Status release(std::uint32_t frame, Stream &stream) override
    {
        if (m_direction == Direction::Input)
            return {};
        static const NameId kCopy = internName("copy to host", Category::Copy, Purpose::InputCopy);
        return copy(kCopy, frame, *m_host, *m_deviceSide, CopyKind::DeviceToHost, stream);
    }

    /// The driver copies pageable memory on the calling thread.
    bool isRepeatable() const override { return m_host->allocation() == Allocation::Pinned; }

    std::uint64_t bytesCopied() const override { return pictureBytes(m_layout); }

private:
    Status copy(NameId name, std::uint32_t frame, Buffer &to, Buffer &from, CopyKind kind, Stream &stream)
    {
        JETSCOPE_TRY(m_context.timer.beginCopy(stream, name, frame, bytesCopied(), kind));
        JETSCOPE_TRY(m_context.device.copyAsync(wholeOf(to), wholeOf(from), kind, stream));
        return m_context.timer.end();
    }

    const Direction m_direction;
    const ImageLayout m_layout;
    const TransferContext m_context;
    std::unique_ptr<Buffer> m_host;
    std::unique_ptr<Buffer> m_deviceSide;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>>
createPageableTransfer(TransferBuffer::Direction direction, const ImageLayout &layout, const TransferContext &context)
{
    return CopyTransfer::create(false, direction, layout, context);
}

Result<std::unique_ptr<TransferBuffer>> createPinnedTransfer(TransferBuffer::Direction direction,
                                                             const ImageLayout &layout, const TransferContext &context)
{
    return CopyTransfer::create(true, direction, layout, context);
}

} // namespace jetscope
