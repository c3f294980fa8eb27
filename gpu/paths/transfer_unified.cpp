// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Unified memory, attached globally. If concurrentManagedAccess = 0, the CPU may touch it only while the device is
// idle, so every access drains the device first: that is the real cost of this kind. If it is 1, CPU and device share
// the memory freely.
#include "core/recording/tracer.h"
#include "gpu/paths/hostmemory.h"
#include "gpu/paths/transferbuffer.h"

#include <cstring>

namespace jetscope {

namespace {

class ConcurrentUnifiedTransfer final : public TransferBuffer {
public:
    ConcurrentUnifiedTransfer(Direction direction, const ImageLayout &layout, std::unique_ptr<Buffer> managed)
        : m_direction(direction), m_layout(layout), m_managed(std::move(managed))
    {
    }

    std::byte *host() override { return m_managed->host(); }

    Status acquire(std::uint32_t, Stream &, ChainLaunch &launch) override
    {
        pointLaunch(launch, m_direction, m_managed->device(), m_layout);
        return {};
    }

    std::uint64_t bytesCopied() const override { return 0; }

private:
    const Direction m_direction;
    const ImageLayout m_layout;
    const std::unique_ptr<Buffer> m_managed;
};

/// While other frames are in flight, the capture thread cannot write managed memory and the CPU stage cannot read it.
/// Both use separate memory, and the pipeline thread copies between two launches.
class DrainingUnifiedTransfer final : public TransferBuffer {
public:
    DrainingUnifiedTransfer(Direction direction, const ImageLayout &layout, Device &device, HostMemory staging,
                            std::unique_ptr<Buffer> managed)
        : m_direction(direction),
          m_layout(layout),
          m_device(device),
          m_staging(std::move(staging)),
          m_managed(std::move(managed))
    {
    }

    std::byte *host() override { return m_staging.get(); }

    Status acquire(std::uint32_t frame, Stream &, ChainLaunch &launch) override
    {
        pointLaunch(launch, m_direction, m_managed->device(), m_layout);
        return m_direction == Direction::Input ? drainAndCopy(frame, m_managed->host(), m_staging.get()) : Status();
    }

    Result<const std::byte *> fetch(std::uint32_t frame) override
    {
        JETSCOPE_TRY(drainAndCopy(frame, m_staging.get(), m_managed->host()));
        return static_cast<const std::byte *>(m_staging.get());
    }
    bool fetchNeedsIdleDevice() const override { return true; }

    const std::byte *sharedInput() override { return m_managed->host(); }

    std::uint64_t bytesCopied() const override { return pictureBytes(m_layout); }

private:
    Status drainAndCopy(std::uint32_t frame, std::byte *to, const std::byte *from)
    {
        static const NameId kDrain = internName("cudaDeviceSynchronize (unified)", Category::WaitMemory);
        static const NameId kCopy = internName("copy managed", Category::Upload);
        {
            const SpanScope span(kDrain, frame);
            JETSCOPE_TRY(m_device.synchronize());
        }
        SpanScope span(kCopy, frame);
        span.setBytes(bytesCopied());
        std::memcpy(to, from, m_layout.bytes);
        return {};
    }

    const Direction m_direction;
    const ImageLayout m_layout;
    Device &m_device;
    const HostMemory m_staging;
    const std::unique_ptr<Buffer> m_managed;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>> createUnifiedTransfer(TransferBuffer::Direction direction,
                                                              const ImageLayout &layout, const TransferContext &context)
{
    Result<std::unique_ptr<Buffer>> managed = context.device.allocate(Allocation::Managed, layout.bytes);
    if (!managed.ok())
        return managed.error();
    if (context.device.facts().concurrentManagedAccess)
        return std::unique_ptr<TransferBuffer>(
            std::make_unique<ConcurrentUnifiedTransfer>(direction, layout, std::move(managed).value()));
    Result<HostMemory> staging = allocateHostMemory(layout.bytes);
    if (!staging.ok())
        return staging.error();
    return std::unique_ptr<TransferBuffer>(std::make_unique<DrainingUnifiedTransfer>(
        direction, layout, context.device, std::move(staging).value(), std::move(managed).value()));
}

} // namespace jetscope
