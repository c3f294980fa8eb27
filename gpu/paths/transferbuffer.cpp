// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/paths/transferbuffer.h"

#include "core/enumtable.h"

#include <array>

namespace jetscope {

namespace {

struct TransferRow {
    MemoryKind kind;
    TransferFactory *create;
};

constexpr auto kTransfers = std::to_array<TransferRow>({
    {MemoryKind::Pageable, createPageableTransfer},
    {MemoryKind::Pinned, createPinnedTransfer},
    {MemoryKind::ZeroCopy, createZeroCopyTransfer},
    {MemoryKind::Unified, createUnifiedTransfer},
    {MemoryKind::UnifiedAttach, createAttachTransfer},
    {MemoryKind::Registered, createRegisteredTransfer},
    {MemoryKind::GlTexture, createGlTextureTransfer},
    {MemoryKind::NvBuf, createExternalTransfer},
    {MemoryKind::System, createSystemTransfer},
    {MemoryKind::UnifiedPrefetch, createPrefetchTransfer},
    {MemoryKind::RegisteredIo, createRegisteredIoTransfer},
    {MemoryKind::Pool, createPoolTransfer},
    {MemoryKind::Dmabuf, createDmabufTransfer},
});
static_assert(hasEveryRow(kTransfers, &TransferRow::kind));

} // namespace

Result<std::unique_ptr<TransferBuffer>> createTransferBuffer(MemoryKind kind, TransferBuffer::Direction direction,
                                                             const ImageLayout &layout, const TransferContext &context)
{
    return kTransfers[static_cast<std::size_t>(kind)].create(direction, layout, context);
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
