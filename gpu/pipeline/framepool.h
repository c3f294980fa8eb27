// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "core/settings/memorykinds.h"
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

/// The input buffers of one memory kind. The capture thread fills them directly, so that a frame needs only the copies
/// of its memory kind. Buffers are created and destroyed on the pipeline thread; any thread may take and release them.
class FramePool {
public:
    /// `throughStream`: see SourceInfo.
    static Result<std::shared_ptr<FramePool>> create(MemoryKind kind, const ImageLayout &layout, std::size_t buffers,
                                                     const TransferContext &context, bool throughStream = false);
    ~FramePool();

    const ImageLayout &layout() const { return m_layout; }
    /// Whether frames stay in the source's own buffers, so that the buffers of this pool have no memory.
    bool takesExternalBuffers() const { return memoryKind(m_kind).isForeign; }
    /// Whether sources can import its buffers.
    bool hasDmabufs() const { return !m_buffers.empty() && m_buffers.front()->dmabuf() >= 0; }
    /// The EGLStream to which the source must present its frames; null for none.
    const StreamInput *presentedTo() const { return m_stream.get(); }

    /// Null if all buffers are in use.
    TransferBuffer *take();
    void release(TransferBuffer *buffer);
    /// None if frames pass through no EGLStream. Any thread.
    std::optional<StreamCounts> streamCounts() const;

private:
    FramePool(MemoryKind kind, const ImageLayout &layout);

    const MemoryKind m_kind;
    const ImageLayout m_layout;
    std::shared_ptr<StreamLoop> m_loop;    ///< Null unless frames pass through an EGLStream of our own.
    std::shared_ptr<StreamInput> m_stream; ///< Null unless the source presents to an EGLStream.
    std::vector<std::unique_ptr<TransferBuffer>> m_buffers;
    std::mutex m_mutex;
    std::vector<TransferBuffer *> m_free;
};

/// A captured frame and the buffer that holds it. The destructor returns the buffer.
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
