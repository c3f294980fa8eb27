// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/paths/streamcounts.h"
#include "gpu/paths/transferbuffer.h"
#include "gpu/sources/framesource.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace jetscope {

class StreamInput;
class StreamLoop;

/// The input buffers of one memory kind: the capture thread fills them where they lie, so that a frame needs no copy
/// beyond those of its memory kind. Buffers are made and destroyed on the pipeline thread; taking and giving back is
/// for any thread.
class FramePool {
public:
    /// `throughStream` as SourceInfo has it.
    static Result<std::shared_ptr<FramePool>> create(MemoryKind kind, const ImageLayout &layout, std::size_t buffers,
                                                     const TransferContext &context, bool throughStream = false);
    ~FramePool();

    const ImageLayout &layout() const { return m_layout; }
    /// Whether frames stay in the source's buffers, so that ours have no memory.
    bool takesExternalBuffers() const { return m_kind == MemoryKind::NvBuf; }
    /// The EGLStream that the source is to present its frames to; null without one.
    const StreamInput *presentedTo() const { return m_stream.get(); }

    /// Null when all buffers are in use.
    TransferBuffer *take();
    void release(TransferBuffer *buffer);
    /// None where frames go through no EGLStream. Any thread.
    std::optional<StreamCounts> streamCounts() const;

private:
    FramePool(MemoryKind kind, const ImageLayout &layout);

    const MemoryKind m_kind;
    const ImageLayout m_layout;
    std::shared_ptr<StreamLoop> m_loop;    ///< Null where frames pass through no EGLStream of ours.
    std::shared_ptr<StreamInput> m_stream; ///< Null where the source presents to none.
    std::vector<std::unique_ptr<TransferBuffer>> m_buffers;
    std::mutex m_mutex;
    std::vector<TransferBuffer *> m_free;
};

/// A captured frame on its way, in the buffer that it was captured into. Giving it up gives the buffer back.
class InputFrame {
public:
    InputFrame() = default;
    InputFrame(std::shared_ptr<FramePool> pool, TransferBuffer *buffer) : m_pool(std::move(pool)), m_buffer(buffer) {}
    ~InputFrame() { reset(); }
    InputFrame(InputFrame &&other) noexcept { *this = std::move(other); }
    InputFrame &operator=(InputFrame &&other) noexcept
    {
        if (this != &other) {
            reset();
            m_pool = std::move(other.m_pool);
            m_buffer = std::exchange(other.m_buffer, nullptr);
            captured = std::move(other.captured);
        }
        return *this;
    }

    void reset()
    {
        if (m_buffer)
            m_pool->release(std::exchange(m_buffer, nullptr));
        m_pool.reset();
    }
    TransferBuffer *buffer() const { return m_buffer; }
    const std::shared_ptr<FramePool> &pool() const { return m_pool; }

    CapturedFrame captured;

private:
    std::shared_ptr<FramePool> m_pool;
    TransferBuffer *m_buffer = nullptr;
};

} // namespace jetscope
