// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Pinned zero-copy and registered host memory: the device reads and writes the CPU's memory where it lies.
#include "gpu/device/hostmemory.h"
#include "gpu/paths/transferbuffer.h"

namespace jetscope {

namespace {

class MappedTransfer final : public TransferBuffer {
public:
    MappedTransfer(Direction direction, const ImageLayout &layout, Device &device, HostMemory pageable,
                   std::unique_ptr<Buffer> buffer)
        : TransferBuffer(device),
          m_direction(direction),
          m_layout(layout),
          m_pageable(std::move(pageable)),
          m_buffer(std::move(buffer))
    {
    }

    BufferRange memory() const override { return wholeOf(*m_buffer); }

    Status acquire(std::uint32_t, Stream &, ChainLaunch &launch) override
    {
        pointLaunch(launch, m_direction, *m_buffer, m_layout);
        return {};
    }

    std::uint64_t bytesCopied() const override { return 0; }

private:
    const Direction m_direction;
    const ImageLayout m_layout;
    const HostMemory m_pageable; ///< The registered memory; outlives the registration.
    const std::unique_ptr<Buffer> m_buffer;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>>
createZeroCopyTransfer(TransferBuffer::Direction direction, const ImageLayout &layout, const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> buffer,
                        context.device.allocate(Allocation::PinnedMapped, layout.bytes));
    return std::unique_ptr<TransferBuffer>(
        std::make_unique<MappedTransfer>(direction, layout, context.device, HostMemory(), std::move(buffer)));
}

Result<std::unique_ptr<TransferBuffer>>
createRegisteredTransfer(TransferBuffer::Direction direction, const ImageLayout &layout, const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(HostMemory memory, allocateHostMemory(layout.bytes));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> buffer, context.device.registerHost(memory.get(), layout.bytes));
    return std::unique_ptr<TransferBuffer>(
        std::make_unique<MappedTransfer>(direction, layout, context.device, std::move(memory), std::move(buffer)));
}

} // namespace jetscope
