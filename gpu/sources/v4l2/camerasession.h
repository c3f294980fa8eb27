// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "gpu/sources/cameras.h"
#include "gpu/sources/jpegdecoder.h"
#include "gpu/sources/v4l2/bufferqueue.h"
#include "gpu/sources/v4l2/cameramode.h"
#include "gpu/sources/v4l2/wakesignal.h"

#include <memory>

namespace jetscope {

/// One camera from opening until it is closed or disconnected: set to a mode, and streaming. Capture thread, except for
/// its creation.
class CameraSession {
public:
    /// Waits for the first frame if only that reveals the layout (MJPEG); `wake` ends the wait.
    static Result<std::unique_ptr<CameraSession>> open(CameraDevice device, const CameraOptions &options,
                                                       const WakeSignal &wake);

    const CameraInfo &camera() const { return m_camera; }
    const CameraMode &mode() const { return m_mode; }
    const ImageLayout &layout() const { return m_layout; } ///< The layout of frames in the pipeline.

    /// Why the driver cannot write frames of our layout into our memory; empty if it can.
    std::string reasonAgainstUser() const;
    /// The same for memory that the driver imports as a DMA-BUF.
    std::string reasonAgainstImport() const;

    /// Why the driver's own buffers cannot be passed to a GPU directly; empty if they can. Do not call while streaming.
    std::string reasonAgainstExternal();
    void closeExported(int file) const { m_device.kernel().close(file); } ///< Any thread.

    Status startMapped();
    /// Uses enough buffers for the driver and for readers that hold them for a while.
    Status startExternalBuffers();
    /// Like `startMapped`, but queues nothing and delivers no frames: only for access to the buffers.
    Status mapOnly();
    /// The driver fills the buffers that are queued later.
    Status startUser();
    Status startImported();
    bool streaming() const { return m_queue != nullptr; }
    void stop() { m_queue.reset(); }
    BufferQueue &queue() { return *m_queue; }

    V4l2Syscalls::Wait wait(const WakeSignal &wake, int milliseconds) const;

    /// What a filled buffer holds: a complete frame (of alternating fields, one of them), a part of one, or nothing
    /// that can be used.
    enum class Condition { Whole, Torn, Damaged };
    Condition conditionOf(const FilledBuffer &filled) const;
    /// "800×600" for a whole JPEG picture that has another size than those before it; else empty.
    std::string otherSizeOf(const FilledBuffer &filled);
    bool alternates() const { return m_mode.fields == FieldLayout::Alternate; }
    /// What the driver has reported since the last call.
    enum class Events { None, Others, OtherSize };
    Events takeEvents() const;
    /// Writes a mapped buffer's frame in our layout: copies it, weaves it, or decodes a JPEG. Of alternating fields it
    /// writes one, and the rows of the other are left.
    Status store(const FilledBuffer &filled, std::byte *into);

private:
    std::string reasonAgainstOurs(std::uint32_t memory) const;
    Status start(Result<std::unique_ptr<BufferQueue>> queue);
    CameraSession(CameraDevice device, CameraInfo camera, CameraMode mode);
    Status learnLayout(const WakeSignal &wake);
    void watchSource() const;
    Status learnFrom(const FilledBuffer &filled);

    CameraDevice m_device;
    CameraInfo m_camera;
    CameraMode m_mode;
    ImageLayout m_layout;
    ImageLayout m_driverLayout;
    std::unique_ptr<JpegDecoder> m_decoder;
    std::unique_ptr<BufferQueue> m_queue; ///< Destroyed before the device.
};

/// Copies a picture from one layout of a format to another; row by row if the pitches differ.
void copyPicture(const ImageLayout &fromLayout, const std::byte *from, const ImageLayout &toLayout, std::byte *to);

} // namespace jetscope
