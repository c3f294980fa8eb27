// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Unified memory with attach hints: attached to the host while the CPU uses it, attached to the frame's stream for its
// kernels, and attached to the host again after them. CPU and device can therefore work on different frames at the same
// time although concurrentManagedAccess = 0.
#include "gpu/paths/transferbuffer.h"

namespace jetscope {

namespace {

class AttachTransfer final : public TransferBuffer {
public:
    AttachTransfer(Direction direction, const ImageLayout &layout, Device &device, std::unique_ptr<Buffer> managed)
        : TransferBuffer(device), m_direction(direction), m_layout(layout), m_managed(std::move(managed))
    {
    }

    BufferRange memory() const override { return wholeOf(*m_managed); }

    Status acquire(std::uint32_t, Stream &stream, ChainLaunch &launch) override
    {
        pointLaunch(launch, m_direction, *m_managed, m_layout);
        return m_device.attach(*m_managed, Attach::Single, stream);
    }

    Status release(std::uint32_t, Stream &stream) override { return m_device.attach(*m_managed, Attach::Host, stream); }

    // The done event is recorded after the attach to the host, so once it is complete the CPU may use the memory (rule
    // A4).
    bool cpuWaitsForEvent() const override { return !m_device.facts().concurrentManagedAccess; }

    std::uint64_t bytesCopied() const override { return 0; }

private:
    const Direction m_direction;
    const ImageLayout m_layout;
    const std::unique_ptr<Buffer> m_managed;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>> createAttachTransfer(TransferBuffer::Direction direction,
                                                             const ImageLayout &layout, const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> managed, context.device.allocate(Allocation::Managed, layout.bytes));
    // New managed memory is attached globally (A3), but the CPU uses it first.
    JETSCOPE_TRY(context.device.attach(*managed, Attach::Host, context.setupStream));
    JETSCOPE_TRY(context.device.synchronize(context.setupStream));
    return std::unique_ptr<TransferBuffer>(
        std::make_unique<AttachTransfer>(direction, layout, context.device, std::move(managed)));
}

} // namespace jetscope
