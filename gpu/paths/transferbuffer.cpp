// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/paths/transferbuffer.h"

namespace jetscope {

Result<std::unique_ptr<TransferBuffer>> createTransferBuffer(MemoryKind kind, TransferBuffer::Direction direction,
                                                             const ImageLayout &layout, const TransferContext &context)
{
    switch (kind) {
    case MemoryKind::Pageable:
        return createCopyTransfer(false, direction, layout, context);
    case MemoryKind::Pinned:
        return createCopyTransfer(true, direction, layout, context);
    case MemoryKind::ZeroCopy:
        return createZeroCopyTransfer(direction, layout, context);
    case MemoryKind::Unified:
        return createUnifiedTransfer(direction, layout, context);
    case MemoryKind::UnifiedAttach:
        return createAttachTransfer(direction, layout, context);
    case MemoryKind::Registered:
        return createRegisteredTransfer(direction, layout, context);
    case MemoryKind::GlTexture:
        // A texture only carries frames to the device; results use a pinned copy.
        if (direction == TransferBuffer::Direction::Result)
            return createCopyTransfer(true, direction, layout, context);
        return createGlTextureTransfer(layout, context);
    case MemoryKind::NvBuf:
        // Only inputs are in the camera's buffers; results use our own.
        if (direction == TransferBuffer::Direction::Result)
            return createCopyTransfer(true, direction, layout, context);
        return createExternalTransfer(layout, context);
    }
    return Error{"--memory", 0, "there is no such memory kind"};
}

void pointLaunch(ChainLaunch &launch, TransferBuffer::Direction direction, Buffer &buffer, const ImageLayout &layout)
{
    if (direction == TransferBuffer::Direction::Input) {
        launch.inputLayout = layout;
        launch.input = {&buffer, 0, layout.bytes};
    } else {
        launch.result = {&buffer, 0, layout.bytes};
        launch.resultPitch = layout.planes[0].pitch;
    }
}

} // namespace jetscope
