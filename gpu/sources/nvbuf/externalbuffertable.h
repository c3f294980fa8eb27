// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/sources/externalbuffer.h"
#include "gpu/sources/nvbuf/nvbufapi.h"

#include <cstdint>
#include <map>
#include <memory>

namespace jetscope {

/// The layout of a camera's buffer; `bytes` is its size as mapped by GStreamer. An error if the buffer is not
/// supported. The actual row positions are those of the buffer's planes, not those of the layout.
Result<ImageLayout> layoutOf(const nvbuf::Surface *surface, std::size_t bytes);

/// A camera's few buffers, identified by their descriptors. Each EGLImage is created at most once. Capture thread; any
/// thread may use the external buffers.
class ExternalBufferTable {
public:
    explicit ExternalBufferTable(const NvBufApi &api) : m_api(api) {}

    /// The external buffer for a buffer that was just received and that `layoutOf` accepts. It holds `keeper`, which
    /// keeps the buffer's memory valid.
    std::shared_ptr<ExternalBuffer> externalBufferOf(nvbuf::Surface *buffer, const std::shared_ptr<void> &keeper);

    /// Call when the camera's buffers are gone, or before they are freed.
    void clear() { m_buffers.clear(); }

private:
    class MappedExternalBuffer;
    const NvBufApi m_api;
    std::map<std::uint64_t, std::shared_ptr<MappedExternalBuffer>> m_buffers;
};

} // namespace jetscope
