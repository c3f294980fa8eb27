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

/// One camera from the time it is opened to the time it is closed or gone: set to a mode, and streaming. Capture
/// thread, but for being made.
class CameraSession {
public:
    /// Waits for the first picture where only that says what frames will be (MJPEG); `wake` ends the wait.
    static Result<std::unique_ptr<CameraSession>> open(CameraDevice device, const CameraOptions &options,
                                                       const WakeSignal &wake);

    const CameraInfo &camera() const { return m_camera; }
    const CameraMode &mode() const { return m_mode; }
    const ImageLayout &layout() const { return m_layout; } ///< Of frames as the pipeline takes them.

    /// Why the driver cannot fill frames of our layout in memory of ours; empty when it can.
    std::string whyNotUser() const;

    /// Why the driver's own buffers cannot be handed to a GPU as they are; empty when they can. Not while it streams.
    std::string whyNoExternalBuffers();
    void closeExported(int file) const { m_device.kernel().close(file); } ///< Any thread.

    Status startMapped();
    /// With as many buffers as readers, who keep them for a while, and the driver need.
    Status startExternalBuffers();
    /// As `startMapped`, but nothing is queued and no frame comes: to look at the buffers.
    Status mapOnly();
    /// What is lent later is filled from then on.
    Status startUser();
    bool streaming() const { return m_queue != nullptr; }
    void stop() { m_queue.reset(); }
    BufferQueue &queue() { return *m_queue; }

    V4l2Syscalls::Wait wait(const WakeSignal &wake, int milliseconds) const;

    /// Whether a filled buffer holds a whole picture.
    bool isWhole(const FilledBuffer &filled) const;
    /// Writes a mapped buffer's picture in our layout: a copy, or a JPEG decoded.
    Status store(const FilledBuffer &filled, std::byte *into);

private:
    Status start(Result<std::unique_ptr<BufferQueue>> queue);
    CameraSession(CameraDevice device, CameraInfo camera, CameraMode mode);
    Status learnLayout(const WakeSignal &wake);
    Status learnFrom(const FilledBuffer &filled);

    CameraDevice m_device;
    CameraInfo m_camera;
    CameraMode m_mode;
    ImageLayout m_layout;
    ImageLayout m_driverLayout;
    std::unique_ptr<JpegDecoder> m_decoder;
    std::unique_ptr<BufferQueue> m_queue; ///< Goes before the device.
};

/// Copies a picture from one layout of a format to another: rows at a time where pitches differ.
void copyPicture(const ImageLayout &fromLayout, const std::byte *from, const ImageLayout &toLayout, std::byte *to);

} // namespace jetscope
