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

/// What a camera's buffer holds, of `bytes` bytes as GStreamer maps it; an error when it is none that we read. Its rows
/// are where its planes say, not where the layout does.
Result<ImageLayout> layoutOf(const nvbuf::Surface *surface, std::size_t bytes);

/// A camera's few buffers, known again by their descriptors. Each has its EGLImage made at most once. Capture thread;
/// the surfaces are for any.
class SurfaceTable {
public:
    explicit SurfaceTable(const NvBufApi &api) : m_api(api) {}

    /// The surface of a buffer that has come just now and that `layoutOf` reads. As long as the surface lives it keeps
    /// `keeper`, and that the buffer's memory.
    std::shared_ptr<ExternalBuffer> surfaceOf(nvbuf::Surface *buffer, const std::shared_ptr<void> &keeper);

    /// The camera's buffers are gone, or about to be.
    void clear() { m_surfaces.clear(); }

private:
    class MappedExternalBuffer;
    const NvBufApi m_api;
    std::map<std::uint64_t, std::shared_ptr<MappedExternalBuffer>> m_surfaces;
};

} // namespace jetscope
