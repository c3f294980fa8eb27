// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A Jetson's library for buffers, as far as frames of nvivafilter and trials of VPI need it. It aborts if a call breaks
// the documented order.
#include "gpu/sources/nvbuf/nvbufsurface.h"
#include "tests/support/fakeeglimage.h"

#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

using namespace jetscope::nvbuf;

namespace {

constexpr unsigned kPitch = 256;

void require(bool condition)
{
    if (!condition)
        std::abort();
}

FakeEglImage &imageOf(const Surface *surface)
{
    return *static_cast<FakeEglImage *>(surface->list[0].data);
}

} // namespace

extern "C" {

int NvBufSurfaceCreate(Surface **surface, std::uint32_t count, const CreateParams *params)
{
    const bool isNv12 = params->colorFormat == kNv12 && params->layout <= kBlockLinear;
    const bool isRgba = params->colorFormat == kRgba && params->layout == kPitchLinear;
    if (count != 1 || (!isNv12 && !isRgba) || params->memory != kSurfaceArray)
        return -1;
    auto *image = new FakeEglImage;
    image->width = params->width;
    image->height = params->height;
    image->format = isNv12 ? FakeEglImage::Format::Nv12 : FakeEglImage::Format::Rgba;
    image->isBlockLinear = params->layout == kBlockLinear;
    image->pitch = (params->width * (isNv12 ? 1 : 4) + kPitch - 1) / kPitch * kPitch;
    image->pixels = static_cast<unsigned char *>(std::calloc(image->pitch, std::size_t{image->height} * 2));
    image->frameType = FAKE_FRAME_TYPE;
    auto *made = new Surface{};
    made->list = new SurfaceParams[1]{};
    made->list[0].width = params->width;
    made->list[0].height = params->height;
    made->list[0].planes.pitch[0] = image->pitch;
    made->list[0].data = image;
    // Other fakes of the process find the buffer by its descriptor.
    const int descriptor = memfd_create("fakesurface", MFD_CLOEXEC);
    require(descriptor > 0 && pwrite(descriptor, &image, sizeof image, 0) == sizeof image);
    made->list[0].descriptor = static_cast<std::uint64_t>(descriptor);
    *surface = made;
    return 0;
}

int NvBufSurfaceDestroy(Surface *surface)
{
    require(!surface->list[0].eglImage && !surface->list[0].mappedAddress[0]);
    require(imageOf(surface).registrations == 0);
    close(static_cast<int>(surface->list[0].descriptor));
    std::free(imageOf(surface).pixels);
    delete &imageOf(surface);
    delete[] surface->list;
    delete surface;
    return 0;
}

int NvBufSurfaceMap(Surface *surface, int index, int plane, int access)
{
    require(surface->filled == 1 && index == 0 && plane == 0 && access == 2);
    surface->list[0].mappedAddress[0] = imageOf(surface).pixels;
    return 0;
}

int NvBufSurfaceUnMap(Surface *surface, int, int)
{
    require(surface->list[0].mappedAddress[0]);
    surface->list[0].mappedAddress[0] = nullptr;
    return 0;
}

int NvBufSurfaceSyncForCpu(Surface *surface, int, int)
{
    require(surface->list[0].mappedAddress[0]);
    imageOf(surface).isForDevice = false;
    return 0;
}

int NvBufSurfaceSyncForDevice(Surface *surface, int, int)
{
    require(surface->list[0].mappedAddress[0]);
    imageOf(surface).isForDevice = true;
    return 0;
}

int NvBufSurfaceMapEglImage(Surface *surface, int)
{
    require(!surface->list[0].eglImage);
    surface->list[0].eglImage = &imageOf(surface);
    return 0;
}

int NvBufSurfaceUnMapEglImage(Surface *surface, int)
{
    require(surface->list[0].eglImage && imageOf(surface).registrations == 0);
    surface->list[0].eglImage = nullptr;
    return 0;
}
}
