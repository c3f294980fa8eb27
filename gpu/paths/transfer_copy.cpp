// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Pageable and pinned copies: CPU and device have separate memory, and the device copies between the two.
#include "core/recording/tracer.h"
#include "gpu/gputime/gputimer.h"
#include "gpu/paths/hostmemory.h"
#include "gpu/paths/transferbuffer.h"

namespace jetscope {

namespace {

class CopyTransfer final : public TransferBuffer {
public:
    CopyTransfer(Direction direction, const ImageLayout &layout, const TransferContext &context)
        : m_direction(direction), m_layout(layout), m_context(context)
    {
    }

    Status allocate(bool pinned)
    {
        if (pinned) {
            Result<std::unique_ptr<Buffer>> buffer = m_context.device.allocate(Allocation::Pinned, m_layout.bytes);
            if (!buffer.ok())
                return buffer.error();
            m_pinned = std::move(buffer).value();
        } else {
            Result<HostMemory> memory = allocateHostMemory(m_layout.bytes);
            if (!memory.ok())
                return memory.error();
            m_pageable = std::move(memory).value();
        }
        Result<std::unique_ptr<Buffer>> device = m_context.device.allocate(Allocation::Device, m_layout.bytes);
        if (!device.ok())
            return device.error();
        m_device = std::move(device).value();
        return {};
    }

    std::byte *host() override { return m_pinned ? m_pinned->host() : m_pageable.get(); }

    Status acquire(std::uint32_t frame, Stream &stream, ChainLaunch &launch) override
    {
        pointLaunch(launch, m_direction, m_device->device(), m_layout);
        if (m_direction == Direction::Result)
            return {};
        static const NameId kCopy = internName("copy to device", Category::Copy);
        return copy(kCopy, frame, m_device->device(), host(), CopyKind::HostToDevice, stream);
    }

    Status release(std::uint32_t frame, Stream &stream) override
    {
        if (m_direction == Direction::Input)
            return {};
        static const NameId kCopy = internName("copy to host", Category::Copy);
        return copy(kCopy, frame, host(), m_device->device(), CopyKind::DeviceToHost, stream);
    }

    std::uint64_t bytesCopied() const override { return pictureBytes(m_layout); }

private:
    Status copy(NameId name, std::uint32_t frame, std::byte *to, const std::byte *from, CopyKind kind, Stream &stream)
    {
        JETSCOPE_TRY(m_context.timer.begin(stream, name, frame, bytesCopied()));
        JETSCOPE_TRY(m_context.device.copyAsync(to, from, m_layout.bytes, kind, stream));
        return m_context.timer.end();
    }

    const Direction m_direction;
    const ImageLayout m_layout;
    const TransferContext m_context;
    HostMemory m_pageable;
    std::unique_ptr<Buffer> m_pinned;
    std::unique_ptr<Buffer> m_device;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>> createCopyTransfer(bool pinned, TransferBuffer::Direction direction,
                                                           const ImageLayout &layout, const TransferContext &context)
{
    auto transfer = std::make_unique<CopyTransfer>(direction, layout, context);
    JETSCOPE_TRY(transfer->allocate(pinned));
    return std::unique_ptr<TransferBuffer>(std::move(transfer));
}

} // namespace jetscope
