// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// The used part of libnvbufsurface's binary interface, as published in the header nvbufsurface.h of the Jetson
// Multimedia API (R35, R36 and R39; 64 bits), so that the build needs no Jetson headers. The library allocates and
// sizes Surface and SurfaceParams. They are only read, and only up to the last member declared here, because later
// releases append members.
namespace jetscope::nvbuf {

inline constexpr std::size_t kMaxPlanes = 4; ///< NVBUF_MAX_PLANES

/// NvBufSurfacePlaneParams: one value per plane, in pixels and bytes.
struct PlaneParams {
    std::uint32_t count;
    std::uint32_t width[kMaxPlanes];
    std::uint32_t height[kMaxPlanes];
    std::uint32_t pitch[kMaxPlanes];
    std::uint32_t offset[kMaxPlanes];
    std::uint32_t bytes[kMaxPlanes];
    std::uint32_t bytesPerPixel[kMaxPlanes];
    void *reserved[4 * kMaxPlanes];
};

/// NvBufSurfaceParams up to the EGLImage. The following members differ: R39 has nvmmPtr and cudaPtr, R35 has reserved
/// words.
struct SurfaceParams {
    std::uint32_t width;
    std::uint32_t height;
    std::uint32_t pitch;
    std::uint32_t colorFormat; ///< NvBufSurfaceColorFormat
    std::uint32_t layout;      ///< NvBufSurfaceLayout: 0 pitch-linear, 1 block-linear.
    std::uint64_t descriptor;  ///< bufferDesc: the dma_buf's file descriptor.
    std::uint32_t dataSize;
    void *data;
    PlaneParams planes;
    void *mappedAddress[kMaxPlanes];
    void *eglImage; ///< mappedAddr.eglImage, set by NvBufSurfaceMapEglImage; initially null.
};

/// NvBufSurface: a batch of buffers; a camera's batch holds one.
struct Surface {
    std::uint32_t gpu;
    std::uint32_t batchSize;
    std::uint32_t filled;
    bool contiguous;
    std::uint32_t memory; ///< NvBufSurfaceMemType
    SurfaceParams *list;
    void *reserved[4];
};

/// NvBufSurfaceCreateParams: what is asked of NvBufSurfaceCreate.
struct CreateParams {
    std::uint32_t gpu;
    std::uint32_t width;
    std::uint32_t height;
    std::uint32_t bytes; ///< 0: as many as the picture needs.
    bool contiguous;
    std::uint32_t colorFormat;
    std::uint32_t layout;
    std::uint32_t memory;
};

static_assert(sizeof(void *) != 8
                  || (sizeof(CreateParams) == 32 && sizeof(Surface) == 64 && offsetof(Surface, list) == 24
                      && offsetof(SurfaceParams, descriptor) == 24 && offsetof(SurfaceParams, planes) == 48
                      && offsetof(SurfaceParams, eglImage) == 312),
              "this is not how the library lays its structures out");

// NvBufSurfaceColorFormat: "ER" means full range.
inline constexpr std::uint32_t kNv12 = 6;
inline constexpr std::uint32_t kNv12Er = 7;
inline constexpr std::uint32_t kNv12Of709 = 33;
inline constexpr std::uint32_t kNv12Of709Er = 34;

inline constexpr std::uint32_t kRgba = 19;
inline constexpr std::uint32_t kPitchLinear = 0; ///< NvBufSurfaceLayout
inline constexpr std::uint32_t kBlockLinear = 1;

/// NVBUF_MEM_SURFACE_ARRAY, a Jetson's hardware buffers: the only kind that supports EGLImages.
inline constexpr std::uint32_t kSurfaceArray = 4;

} // namespace jetscope::nvbuf
