// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/framepool.h"

#include "gpu/glqueue/glqueue.h"
#include "gpu/paths/streamloop.h"

namespace jetscope {

FramePool::FramePool(MemoryKind kind, const ImageLayout &layout) : m_kind(kind), m_layout(layout) {}

FramePool::~FramePool() = default;

Result<std::shared_ptr<FramePool>> FramePool::create(MemoryKind kind, const ImageLayout &layout, std::size_t buffers,
                                                     const TransferContext &context, bool throughStream)
{
    std::shared_ptr<FramePool> pool(new FramePool(kind, layout));
    if (throughStream) {
        JETSCOPE_TRY_ASSIGN(pool->m_loop, StreamLoop::create(layout.width, layout.height, context, realEglStreamApi()));
    }
    TransferContext inputs = context;
    if (kind == MemoryKind::NvBuf && context.externalInput.view == ExternalBufferView::Stream) {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<StreamInput> stream,
                            StreamInput::create(context.device, context.queue.display(), 0, realEglStreamApi()));
        inputs.externalInput.stream = pool->m_stream = std::move(stream);
    }
    for (std::size_t i = 0; i < buffers; ++i) {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<TransferBuffer> buffer,
                            createTransferBuffer(kind, TransferBuffer::Direction::Input, layout, inputs));
        pool->m_buffers.push_back(throughStream ? streamed(std::move(buffer), pool->m_loop) : std::move(buffer));
        pool->m_free.push_back(pool->m_buffers.back().get());
    }
    return pool;
}

TransferBuffer *FramePool::take()
{
    const std::lock_guard lock(m_mutex);
    if (m_free.empty())
        return nullptr;
    TransferBuffer *buffer = m_free.back();
    m_free.pop_back();
    return buffer;
}

void FramePool::release(TransferBuffer *buffer)
{
    static_cast<void>(buffer->detach());
    const std::lock_guard lock(m_mutex);
    m_free.push_back(buffer);
}

std::optional<StreamCounts> FramePool::streamCounts() const
{
    if (m_stream)
        return m_stream->counts();
    return m_loop ? std::optional(m_loop->counts()) : std::nullopt;
}

} // namespace jetscope
