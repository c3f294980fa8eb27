// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/dmabufimport.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace jetscope {

namespace {

constexpr EGLint kAbgr8888 = 0x34324241; ///< DRM_FORMAT_ABGR8888: R, G, B, A bytes.
constexpr EGLuint64KHR kLinear = 0;      ///< DRM_FORMAT_MOD_LINEAR: plain rows.
constexpr const char *kRemedy = "take another memory kind, or open the camera without io=dmabuf";

bool hasExtension(const DmabufApi &api, EGLDisplay display, std::string_view name)
{
    const char *all = api.queryString(display, EGL_EXTENSIONS);
    const std::string list = all ? " " + std::string(all) + " " : std::string();
    return list.find(" " + std::string(name) + " ") != std::string::npos;
}

/// True if the display cannot be queried.
bool importsBytes(const DmabufApi &api, EGLDisplay display)
{
    EGLint count = 0;
    if (!api.queryFormats || !api.queryFormats(display, 0, nullptr, &count))
        return true;
    std::vector<EGLint> formats(static_cast<std::size_t>(std::max(count, 0)));
    if (!api.queryFormats(display, count, formats.data(), &count))
        return true;
    return std::find(formats.begin(), formats.end(), kAbgr8888) != formats.end();
}

/// Whether the display lists the linear modifier, which then must be specified.
bool namesLinear(const DmabufApi &api, EGLDisplay display)
{
    EGLint count = 0;
    if (!api.queryModifiers || !api.queryModifiers(display, kAbgr8888, 0, nullptr, nullptr, &count) || count <= 0)
        return false;
    std::vector<EGLuint64KHR> modifiers(static_cast<std::size_t>(count));
    std::vector<EGLBoolean> externalOnly(static_cast<std::size_t>(count));
    return api.queryModifiers(display, kAbgr8888, count, modifiers.data(), externalOnly.data(), &count)
        && std::find(modifiers.begin(), modifiers.end(), kLinear) != modifiers.end();
}

} // namespace

const DmabufApi &DmabufApi::system()
{
    static const DmabufApi api = [] {
        DmabufApi found;
        found.queryString = eglQueryString;
        found.getError = eglGetError;
        found.createImage = reinterpret_cast<PFNEGLCREATEIMAGEKHRPROC>(eglGetProcAddress("eglCreateImageKHR"));
        found.destroyImage = reinterpret_cast<PFNEGLDESTROYIMAGEKHRPROC>(eglGetProcAddress("eglDestroyImageKHR"));
        found.queryFormats =
            reinterpret_cast<PFNEGLQUERYDMABUFFORMATSEXTPROC>(eglGetProcAddress("eglQueryDmaBufFormatsEXT"));
        found.queryModifiers =
            reinterpret_cast<PFNEGLQUERYDMABUFMODIFIERSEXTPROC>(eglGetProcAddress("eglQueryDmaBufModifiersEXT"));
        return found;
    }();
    return api;
}

Result<EGLImageKHR> importBytes(const DmabufApi &api, EGLDisplay display, int file, const ImageLayout &layout)
{
    if (!api.createImage || !api.destroyImage || !hasExtension(api, display, "EGL_EXT_image_dma_buf_import"))
        return Error{"eglCreateImageKHR(EGL_LINUX_DMA_BUF_EXT)", 0,
                     std::string("this display imports no camera's buffers (it has no EGL_EXT_image_dma_buf_import): ")
                         + kRemedy};
    const bool modifiers = hasExtension(api, display, "EGL_EXT_image_dma_buf_import_modifiers");
    if (modifiers && !importsBytes(api, display))
        return Error{"eglQueryDmaBufFormatsEXT", 0, std::string("this display does not import RGBA bytes: ") + kRemedy};
    const auto pitch = static_cast<EGLint>(layout.planes[0].pitch);
    std::vector<EGLint> attributes = {EGL_WIDTH,
                                      pitch / 4,
                                      EGL_HEIGHT,
                                      static_cast<EGLint>(layout.bytes) / pitch,
                                      EGL_LINUX_DRM_FOURCC_EXT,
                                      kAbgr8888,
                                      EGL_DMA_BUF_PLANE0_FD_EXT,
                                      file,
                                      EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                                      0,
                                      EGL_DMA_BUF_PLANE0_PITCH_EXT,
                                      pitch};
    if (modifiers && namesLinear(api, display))
        attributes.insert(attributes.end(),
                          {EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT, 0, EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT, 0});
    attributes.push_back(EGL_NONE);
    const EGLImageKHR image =
        api.createImage(display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, nullptr, attributes.data());
    if (image == EGL_NO_IMAGE_KHR)
        return Error{"eglCreateImageKHR(EGL_LINUX_DMA_BUF_EXT)", api.getError(),
                     std::string("the display does not import this camera's buffer: ") + kRemedy};
    return image;
}

} // namespace jetscope
