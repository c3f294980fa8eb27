// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Unified memory, attached globally. If concurrentManagedAccess = 0, the CPU may touch it only while the device is
// idle, so every access drains the device first: that is the real cost of this kind. If it is 1, CPU and device share
// the memory freely.
#include "core/recording/tracer.h"
#include "gpu/paths/inplacetransfer.h"

#include <cstring>

namespace jetscope {

namespace {

/// While other frames are in flight, the capture thread cannot write managed memory and the CPU stage cannot read it.
/// Both use separate memory, and the pipeline thread copies between two launches.
class DrainingUnifiedTransfer final : public TransferBuffer {
public:
    DrainingUnifiedTransfer(Direction direction, const ImageLayout &layout, Device &device,
                            std::unique_ptr<Buffer> staging, std::unique_ptr<Buffer> managed)
        : TransferBuffer(device),
          m_direction(direction),
          m_layout(layout),
          m_staging(std::move(staging)),
          m_managed(std::move(managed))
    {
    }

    BufferRange memory() const override { return wholeOf(*m_staging); }

    Status acquire(std::uint32_t frame, Stream &, ChainLaunch &launch) override
    {
        pointLaunch(launch, m_direction, *m_managed, m_layout);
        return m_direction == Direction::Input ? drainAndCopy(frame, *m_managed, *m_staging) : Status();
    }

    bool fetchNeedsIdleDevice() const override { return true; }
    Status fetch(std::uint32_t frame) override { return drainAndCopy(frame, *m_staging, *m_managed); }

    BufferRange sharedMemory() const override { return wholeOf(*m_managed); }

    std::uint64_t bytesCopied() const override { return pictureBytes(m_layout); }

private:
    Status drainAndCopy(std::uint32_t frame, Buffer &to, Buffer &from)
    {
        static const NameId kDrain =
            internName("cudaDeviceSynchronize (unified)", Category::WaitMemory, Purpose::ManagedDrain);
        static const NameId kCopy = internName("copy managed", Category::Upload, Purpose::ManagedCopy);
        {
            const SpanScope span(kDrain, frame);
            JETSCOPE_TRY(m_device.synchronize());
        }
        SpanScope span(kCopy, frame);
        span.setBytes(bytesCopied());
        const CpuWrite write(m_device, wholeOf(to));
        const CpuRead read(m_device, wholeOf(from));
        std::memcpy(write.data(), read.data(), m_layout.bytes);
        return {};
    }

    const Direction m_direction;
    const ImageLayout m_layout;
    const std::unique_ptr<Buffer> m_staging;
    const std::unique_ptr<Buffer> m_managed;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>> createUnifiedTransfer(TransferBuffer::Direction direction,
                                                              const ImageLayout &layout, const TransferContext &context)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> managed, context.device.allocate(Allocation::Managed, layout.bytes));
    if (context.device.facts().concurrentManagedAccess)
        return std::unique_ptr<TransferBuffer>(
            std::make_unique<InPlaceTransfer>(direction, layout, context.device, std::move(managed)));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> staging, context.device.allocate(Allocation::Pageable, layout.bytes));
    return std::unique_ptr<TransferBuffer>(std::make_unique<DrainingUnifiedTransfer>(
        direction, layout, context.device, std::move(staging), std::move(managed)));
}

} // namespace jetscope
