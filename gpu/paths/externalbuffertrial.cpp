// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/paths/externalbuffertrial.h"

#include "gpu/gl/texture.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/paths/externalbufferregistry.h"

#include <cstring>
#include <vector>

namespace jetscope {

namespace {

/// Some drivers create an image of memory that they cannot access, or of a copy of it; reading it with GL reveals that.
/// GL queue.
Status readsBytes(void *eglImage, const std::byte *bytes, const ImageLayout &layout)
{
    const std::size_t pitch = layout.planes[0].pitch;
    const int width = static_cast<int>(pitch / 4);
    const int height = static_cast<int>(layout.bytes / pitch);
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<GlTexture> texture, GlTexture::fromEglImage(eglImage, width, height));
    const Result<std::unique_ptr<GlFramebuffer>> framebuffer = GlFramebuffer::create(texture->id(), width, height);
    if (!framebuffer.ok())
        return {}; // The image can be sampled but not read back here; the device's own trial decides.
    std::vector<std::byte> read(layout.bytes);
    JETSCOPE_TRY(framebuffer.value()->read(read.data(), pitch));
    if (std::memcmp(read.data(), bytes, layout.bytes) != 0)
        return Error{"glReadPixels", 0,
                     "the display reads other bytes than the camera's buffer contains; take another memory kind"};
    return {};
}

} // namespace

Status tryExternalBuffer(ExternalBuffer &buffer, const std::byte *bytes, const ImageLayout &layout, GlQueue &queue,
                         Device &device)
{
    JETSCOPE_TRY_ASSIGN(void *const image, buffer.eglImage(queue.display()->native()));
    JETSCOPE_TRY(queue.run([&] { return readsBytes(image, bytes, layout); }));
    const Result<std::unique_ptr<Image>> registered = registerBytes(device, image, layout);
    return registered.ok() ? Status() : Status(registered.error());
}

} // namespace jetscope
