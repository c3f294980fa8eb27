// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/symbols.h"
#include "gpu/sources/nvbuf/nvbufsurface.h"

#include <cstddef>
#include <memory>
#include <string>

namespace jetscope {

/// The functions of libnvbufsurface that make a frame. All return 0 for success.
struct NvivaSurfaceApi : SymbolTable {
    using SymbolTable::SymbolTable;

    int (*create)(nvbuf::Surface **surface, std::uint32_t count,
                  nvbuf::CreateParams *params) = find("NvBufSurfaceCreate");
    int (*destroy)(nvbuf::Surface *surface) = find("NvBufSurfaceDestroy");
    int (*map)(nvbuf::Surface *surface, int index, int plane, int access) = find("NvBufSurfaceMap");
    int (*unMap)(nvbuf::Surface *surface, int index, int plane) = find("NvBufSurfaceUnMap");
    int (*syncForCpu)(nvbuf::Surface *surface, int index, int plane) = find("NvBufSurfaceSyncForCpu");
    int (*syncForDevice)(nvbuf::Surface *surface, int index, int plane) = find("NvBufSurfaceSyncForDevice");
    int (*mapEglImage)(nvbuf::Surface *surface, int index) = find("NvBufSurfaceMapEglImage");
    int (*unMapEglImage)(nvbuf::Surface *surface, int index) = find("NvBufSurfaceUnMapEglImage");

    /// `path` is empty except in tests: where a Jetson has the library.
    static Result<NvivaSurfaceApi> load(const std::string &path);
};

/// A frame as nvivafilter has it: RGBA in a Jetson's pitch-linear buffer, with an EGLImage. Unverified on hardware.
/// One thread.
class NvivaSurface {
public:
    static Result<std::unique_ptr<NvivaSurface>> create(const NvivaSurfaceApi &api, int width, int height);
    ~NvivaSurface();
    NvivaSurface(const NvivaSurface &) = delete;
    NvivaSurface &operator=(const NvivaSurface &) = delete;

    void *image() const { return m_surface->list[0].eglImage; }
    int descriptor() const { return static_cast<int>(m_surface->list[0].descriptor); } ///< The dma_buf's.
    /// Copies all rows, which lie one after another in `rows`; no work of the GPU is pending.
    Status write(const std::byte *rows);
    Status read(std::byte *rows);

private:
    explicit NvivaSurface(const NvivaSurfaceApi &api) : m_api(api) {}
    std::size_t rowBytes() const { return static_cast<std::size_t>(m_surface->list[0].width) * 4; }
    std::byte *row(std::uint32_t y) const;

    const NvivaSurfaceApi m_api;
    nvbuf::Surface *m_surface = nullptr;
    bool m_isMapped = false;
    bool m_hasImage = false;
};

} // namespace jetscope
