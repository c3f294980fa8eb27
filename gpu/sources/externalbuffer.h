// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/devicefacts.h"

#include <cstdint>

namespace jetscope {

/// What the EGLImages of a source's own buffers contain, if it has EGLImages.
enum class ExternalBufferView : std::uint8_t {
    Bytes, ///< RGBA8 texels that hold the buffer's bytes line by line, see ChainLaunch::inputImage. Every device reads
           ///< these.
    Picture, ///< The picture in its own format and planes, as a GPU's driver defines them.
    Stream,  ///< No EGLImages of buffers: the device acquires frames as the consumer of an EGLStream.
};

/// One of a source's own buffers and its EGLImage. A source has few buffers and reuses them. Each buffer is one object
/// of this type for its whole life, so that devices register it once. A source gives up a buffer by releasing the
/// object.
class ExternalBuffer {
public:
    /// Destroys the EGLImage. All registrations of it must already be gone.
    virtual ~ExternalBuffer() = default;

    /// The EGLImage, created on this display (a native EGLDisplay) by the first call and returned by later calls.
    /// Pipeline thread.
    virtual Result<void *> eglImage(void *display) = 0;

    /// The descriptor by which a Jetson's libraries know the buffer (NvBufSurfaceParams::bufferDesc). An error says
    /// that they do not: the libraries take only what NvBufSurface made, not every dma_buf. Any thread.
    virtual Result<int> nvBufDescriptor() const
    {
        return sentence("the source's buffers are none of a Jetson's NvBufSurface");
    }

protected:
    ExternalBuffer() = default;
    ExternalBuffer(const ExternalBuffer &) = delete;
    ExternalBuffer &operator=(const ExternalBuffer &) = delete;
};

/// The facts of a device combined with a source that has such buffers, or that has none for the given reason: `nvBuf`
/// depends on both.
DeviceFacts factsWith(DeviceFacts facts, const Result<ExternalBufferView> &externalBuffers);

} // namespace jetscope
