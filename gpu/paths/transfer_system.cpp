// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// System memory: kernels read and write ordinary memory (malloc) where it lies, without any call.
#include "gpu/paths/inplacetransfer.h"

namespace jetscope {

Result<std::unique_ptr<TransferBuffer>> createSystemTransfer(TransferBuffer::Direction direction,
                                                             const ImageLayout &layout, const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> buffer, context.device.allocate(Allocation::System, layout.bytes));
    return std::unique_ptr<TransferBuffer>(
        std::make_unique<InPlaceTransfer>(direction, layout, context.device, std::move(buffer)));
}

} // namespace jetscope
