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

/// Simulated CSI camera of a Jetson: its GStreamer elements (nvarguscamerasrc, nvvidconv and nvvideosink, registered in
/// this process), libnvbufsurface, and the device that reads the buffers. Checks the documented order: the EGLImage of
/// a buffer is created once, while the application holds the buffer, and registered afterwards; it is unregistered
/// before it is destroyed, and destroyed before the buffer is freed; each descriptor is registered once; no buffer is
/// read after it was returned. One instance at a time; GStreamer must be installed.
class FakeCsiCamera {
public:
    FakeCsiCamera();
    ~FakeCsiCamera();
    FakeCsiCamera(const FakeCsiCamera &) = delete;
    FakeCsiCamera &operator=(const FakeCsiCamera &) = delete;

    const NvBufApi &table() const;
    /// A device that can only register EGLImages for reading.
    std::unique_ptr<Device> device() const;
    /// Pixels of a frame as the device reads them through a registered image, in rows of this layout.
    std::vector<std::byte> readAsDevice(const Image &image, const ImageLayout &layout) const;
    /// Expected pixels: the picture with this number as the sensor produced it.
    std::vector<std::byte> pictureOf(std::uint64_t number, const ImageLayout &layout) const;
    /// Number of the picture in a buffer that the application holds.
    std::uint64_t numberOf(const Image &image) const;

    /// Violated rules in order of occurrence, and resources that are still alive.
    std::vector<std::string> violations() const;
    std::size_t registrations() const; ///< Total since construction.
    std::size_t maps() const;          ///< Total since construction.
    int buffersOut() const;            ///< Buffers that the application holds.
    int started() const;               ///< Number of starts of the camera.
    void *presentsTo() const;          ///< EGLStream of the sink, or null.
    int presented() const;             ///< Total number of presented pictures.

    // Takes effect at the next start.
    void setColourFormat(std::uint32_t format);
    void setBlockLinear(bool blockLinear);
    /// Makes the library report a wrong value, or that of an older release, in this structure member.
    void spoil(const std::string &member);
    /// Makes NvBufSurfaceMapEglImage fail.
    void refuseImages();
    /// Simulates the end of the camera service after the next picture.
    void lose();

    static constexpr int kBuffers = 8;
};

} // namespace jetscope::testing
