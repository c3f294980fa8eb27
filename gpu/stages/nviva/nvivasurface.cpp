// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/nviva/nvivasurface.h"

#include "gpu/sources/nvbuf/nvbufapi.h"

#include <cstring>

namespace jetscope {

namespace {

constexpr int kReadWrite = 2; ///< NVBUF_MAP_READ_WRITE

Status checkSurface(const char *call, int code)
{
    return code == 0 ? Status() : Error{call, code, "the Jetson's library for buffers gives no reason"};
}

} // namespace

Result<NvivaSurfaceApi> NvivaSurfaceApi::load(const std::string &path)
{
    void *const library = path.empty() ? openNvBufLibrary() : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return sentence("there is no libnvbufsurface.so, which only a Jetson has");
    NvivaSurfaceApi api(library);
    if (!api.missing().empty())
        return sentence("libnvbufsurface.so has no function " + api.missing());
    return api;
}

Result<std::unique_ptr<NvivaSurface>> NvivaSurface::create(const NvivaSurfaceApi &api, int width, int height)
{
    std::unique_ptr<NvivaSurface> made(new NvivaSurface(api));
    nvbuf::CreateParams params{};
    params.width = static_cast<std::uint32_t>(width);
    params.height = static_cast<std::uint32_t>(height);
    params.colorFormat = nvbuf::kRgba;
    params.layout = nvbuf::kPitchLinear;
    params.memory = nvbuf::kSurfaceArray;
    JETSCOPE_TRY(checkSurface("NvBufSurfaceCreate", api.create(&made->m_surface, 1, &params)));
    made->m_surface->filled = 1;
    JETSCOPE_TRY(checkSurface("NvBufSurfaceMap", api.map(made->m_surface, 0, 0, kReadWrite)));
    made->m_isMapped = true;
    JETSCOPE_TRY(checkSurface("NvBufSurfaceMapEglImage", api.mapEglImage(made->m_surface, 0)));
    made->m_hasImage = true;
    const nvbuf::SurfaceParams &frame = made->m_surface->list[0];
    if (!frame.eglImage || !frame.mappedAddress[0] || frame.width != params.width || frame.height != params.height
        || frame.planes.pitch[0] < made->rowBytes())
        return sentence("the Jetson's library made another buffer than was asked for");
    return made;
}

/// In the reverse order; no registration with CUDA is left.
NvivaSurface::~NvivaSurface()
{
    if (m_hasImage)
        m_api.unMapEglImage(m_surface, 0);
    if (m_isMapped)
        m_api.unMap(m_surface, 0, 0);
    if (m_surface)
        m_api.destroy(m_surface);
}

std::byte *NvivaSurface::row(std::uint32_t y) const
{
    const nvbuf::SurfaceParams &frame = m_surface->list[0];
    return static_cast<std::byte *>(frame.mappedAddress[0]) + std::size_t{frame.planes.pitch[0]} * y;
}

Status NvivaSurface::write(const std::byte *rows)
{
    for (std::uint32_t y = 0; y < m_surface->list[0].height; ++y)
        std::memcpy(row(y), rows + rowBytes() * y, rowBytes());
    return checkSurface("NvBufSurfaceSyncForDevice", m_api.syncForDevice(m_surface, 0, 0));
}

Status NvivaSurface::read(std::byte *rows)
{
    JETSCOPE_TRY(checkSurface("NvBufSurfaceSyncForCpu", m_api.syncForCpu(m_surface, 0, 0)));
    for (std::uint32_t y = 0; y < m_surface->list[0].height; ++y)
        std::memcpy(rows + rowBytes() * y, row(y), rowBytes());
    return {};
}

} // namespace jetscope
