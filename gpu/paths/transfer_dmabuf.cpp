// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// DMA-BUF: pinned memory of CUDA that the camera's driver imports and writes, and that the device reads in place.
#include "gpu/paths/inplacetransfer.h"

#include <unistd.h>

namespace jetscope {

namespace {

class DmabufTransfer final : public InPlaceTransfer {
public:
    DmabufTransfer(Direction direction, const ImageLayout &layout, Device &device, std::unique_ptr<Buffer> exported,
                   int file)
        : InPlaceTransfer(direction, layout, device, std::move(exported)), m_file(file)
    {
    }
    ~DmabufTransfer() override { close(m_file); }

    int dmabuf() const override { return m_file; }

private:
    const int m_file;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>> createDmabufTransfer(TransferBuffer::Direction direction,
                                                             const ImageLayout &layout, const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> exported, context.device.allocate(Allocation::Exported, layout.bytes));
    JETSCOPE_TRY_ASSIGN(const int file, context.device.exportDmabuf(*exported));
    return std::unique_ptr<TransferBuffer>(
        std::make_unique<DmabufTransfer>(direction, layout, context.device, std::move(exported), file));
}

} // namespace jetscope
