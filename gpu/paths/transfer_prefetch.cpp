// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Unified memory with prefetches: moved to the device before the kernels of its frame and back to the CPU behind them,
// so that neither side takes page faults. What the other side overwrites anyway is discarded and not moved.
#include "core/recording/tracer.h"
#include "gpu/paths/inplacetransfer.h"

namespace jetscope {

namespace {

class PrefetchTransfer final : public InPlaceTransfer {
public:
    PrefetchTransfer(Direction direction, const ImageLayout &layout, const TransferContext &context,
                     std::unique_ptr<Buffer> managed)
        : InPlaceTransfer(direction, layout, context.device, std::move(managed)),
          m_cpuReadsInputs(context.cpuReadsInputs)
    {
    }

    Status acquire(std::uint32_t frame, Stream &stream, ChainLaunch &launch) override
    {
        JETSCOPE_TRY(InPlaceTransfer::acquire(frame, stream, launch));
        static const NameId kToDevice = internName("cudaMemPrefetchAsync (to device)", Category::Submit);
        return move(kToDevice, frame, PrefetchTo::Device, isInput() ? Content::Kept : Content::Discarded, stream);
    }

    Status release(std::uint32_t frame, Stream &stream) override
    {
        static const NameId kToHost = internName("cudaMemPrefetchAsync (to host)", Category::Submit);
        // The CPU stage may be reading the same input.
        const bool isRead = !isInput() || m_cpuReadsInputs;
        return move(kToHost, frame, PrefetchTo::Host, isRead ? Content::Kept : Content::Discarded, stream);
    }

    /// Pages of an integrated device stay where they are.
    std::uint64_t bytesCopied() const override { return m_device.facts().integrated ? 0 : pictureBytes(m_layout); }

private:
    bool isInput() const { return m_direction == Direction::Input; }

    /// Of the device's side no source of times has a record, so the span is that of the call.
    Status move(NameId name, std::uint32_t frame, PrefetchTo side, Content content, Stream &stream)
    {
        SpanScope span(name, frame);
        span.setBytes(content == Content::Kept ? bytesCopied() : 0);
        return m_device.prefetch(buffer(), side, content, stream);
    }

    const bool m_cpuReadsInputs;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>>
createPrefetchTransfer(TransferBuffer::Direction direction, const ImageLayout &layout, const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> managed, context.device.allocate(Allocation::Managed, layout.bytes));
    return std::unique_ptr<TransferBuffer>(
        std::make_unique<PrefetchTransfer>(direction, layout, context, std::move(managed)));
}

} // namespace jetscope
