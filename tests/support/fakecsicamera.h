// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "gpu/device/device.h"
#include "gpu/sources/nvbuf/nvbufapi.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace jetscope::testing {

/// Stands in for a camera at a Jetson's CSI connector: for its GStreamer elements (nvarguscamerasrc, nvvidconv and
/// nvvideosink, registered in this process), for libnvbufsurface and for the device that reads its buffers. Holds the
/// caller to the documented order: a buffer's EGLImage is made while the application has the buffer, once, and
/// registered after that; the registration goes before the EGLImage, and that before the buffer; each descriptor is
/// registered once; nothing of a buffer is read after it was given back. One at a time; GStreamer is there.
class FakeCsiCamera {
public:
    FakeCsiCamera();
    ~FakeCsiCamera();
    FakeCsiCamera(const FakeCsiCamera &) = delete;
    FakeCsiCamera &operator=(const FakeCsiCamera &) = delete;

    const NvBufApi &table() const;
    /// A device that registers EGLImages to be read and can do nothing else.
    std::unique_ptr<Device> device() const;
    /// What the device sees of a frame in an image that it registered, in rows as the layout has them.
    std::vector<std::byte> readAsDevice(const Image &image, const ImageLayout &layout) const;
    /// The same of the picture with this number, as the sensor made it.
    std::vector<std::byte> pictureOf(std::uint64_t number, const ImageLayout &layout) const;
    /// Of the picture in a buffer that the application has now.
    std::uint64_t numberOf(const Image &image) const;

    /// Broken rules in order of occurrence; also what still lives.
    std::vector<std::string> violations() const;
    std::size_t registrations() const; ///< Since the start.
    std::size_t maps() const;          ///< Since the start.
    int buffersOut() const;            ///< Which the application has.
    int started() const;               ///< Times that the camera was started.
    void *presentsTo() const;          ///< The EGLStream, or null.
    int presented() const;             ///< Pictures, to any.

    // From the next start on.
    void setColourFormat(std::uint32_t format);
    void setBlockLinear(bool blockLinear);
    /// What the library may get wrong, or an older release gets otherwise; by the name of the member.
    void spoil(const std::string &member);
    /// NvBufSurfaceMapEglImage fails.
    void refuseImages();
    /// The camera service dies after the next picture.
    void lose();

    static constexpr int kBuffers = 8;
};

} // namespace jetscope::testing
