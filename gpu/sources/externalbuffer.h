// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "core/result.h"

#include <cstdint>

namespace jetscope {

/// How frames in a source's own buffers are handed in: what the EGLImage of a buffer shows, if there is one.
enum class ExternalBufferView : std::uint8_t {
    Bytes,   ///< RGBA8 texels that hold the buffer's bytes line by line, as ChainLaunch::inputImage says. Every device
             ///< reads these.
    Picture, ///< The picture in its own format and planes, as a GPU's driver knows them.
    Stream,  ///< No images of buffers: frames come out of an EGLStream, whose consumer the device is.
};

/// One of a source's own buffers, behind an EGLImage. A source has few, and they come round again and again: each is
/// one object of this type as long as the buffer exists, so that devices register it once. A source gives a buffer up
/// by letting go of the object.
class ExternalBuffer {
public:
    /// Takes the EGLImage back. Whatever was registered of it is gone by then.
    virtual ~ExternalBuffer() = default;

    /// The image, made on this display (a native EGLDisplay) at the first call and the same at each later one. Pipeline
    /// thread.
    virtual Result<void *> eglImage(void *display) = 0;

protected:
    ExternalBuffer() = default;
    ExternalBuffer(const ExternalBuffer &) = delete;
    ExternalBuffer &operator=(const ExternalBuffer &) = delete;
};

/// What a device can do with a source that hands in such surfaces, or none for the reason given: `nvBuf` depends on
/// both.
DeviceFacts factsWith(DeviceFacts facts, const Result<ExternalBufferView> &surfaces);

} // namespace jetscope
