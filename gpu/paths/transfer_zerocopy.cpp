// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Pinned zero-copy and registered host memory: the device reads and writes the CPU's memory where it lies.
#include "gpu/paths/inplacetransfer.h"

namespace jetscope {

Result<std::unique_ptr<TransferBuffer>>
createZeroCopyTransfer(TransferBuffer::Direction direction, const ImageLayout &layout, const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> buffer,
                        context.device.allocate(Allocation::PinnedMapped, layout.bytes));
    return std::unique_ptr<TransferBuffer>(
        std::make_unique<InPlaceTransfer>(direction, layout, context.device, std::move(buffer)));
}

Result<std::unique_ptr<TransferBuffer>>
createRegisteredTransfer(TransferBuffer::Direction direction, const ImageLayout &layout, const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(HostMemory memory, allocateHostMemory(layout.bytes));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> buffer, context.device.registerHost(memory.get(), layout.bytes));
    return std::unique_ptr<TransferBuffer>(
        std::make_unique<InPlaceTransfer>(direction, layout, context.device, std::move(buffer), std::move(memory)));
}

} // namespace jetscope
