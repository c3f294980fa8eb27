// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A Jetson's library for buffers, as far as frames of nvivafilter need it. It aborts if a call breaks the documented
// order.
#include "gpu/sources/nvbuf/nvbufsurface.h"
#include "tests/support/fakeeglimage.h"

#include <cstdlib>

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
    if (count != 1 || params->colorFormat != kRgba || params->layout != kPitchLinear || params->memory != kSurfaceArray)
        return -1;
    auto *image = new FakeEglImage;
    image->width = params->width;
    image->height = params->height;
    image->pitch = (params->width * 4 + kPitch - 1) / kPitch * kPitch;
    image->pixels = static_cast<unsigned char *>(std::calloc(image->pitch, image->height));
    image->frameType = FAKE_FRAME_TYPE;
    auto *made = new Surface{};
    made->list = new SurfaceParams{};
    made->list[0].width = params->width;
    made->list[0].height = params->height;
    made->list[0].planes.pitch[0] = image->pitch;
    made->list[0].data = image;
    *surface = made;
    return 0;
}

int NvBufSurfaceDestroy(Surface *surface)
{
    require(!surface->list[0].eglImage && !surface->list[0].mappedAddress[0]);
    require(imageOf(surface).registrations == 0);
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
