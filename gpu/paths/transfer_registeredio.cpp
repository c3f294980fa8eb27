// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Host memory that is registered as I/O memory: the device reads it in place, and no side keeps it coherent.
#include "gpu/paths/inplacetransfer.h"

namespace jetscope {

Result<std::unique_ptr<TransferBuffer>> createRegisteredIoTransfer(TransferBuffer::Direction direction,
                                                                   const ImageLayout &layout,
                                                                   const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(HostMemory memory, allocateHostMemory(layout.bytes));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> buffer, context.device.registerIoMemory(memory.get(), layout.bytes));
    return std::unique_ptr<TransferBuffer>(
        std::make_unique<InPlaceTransfer>(direction, layout, context.device, std::move(buffer), std::move(memory)));
}

} // namespace jetscope
