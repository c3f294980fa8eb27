// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/nvbuf/nvbufapi.h"

#include <dlfcn.h>
#include <string>

namespace jetscope {

namespace {

constexpr const char *kName = "libnvbufsurface.so";

template <class Function>
bool lookUp(Function &function, void *library, const char *name)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

Result<NvBufApi> load()
{
    void *library = openNvBufLibrary();
    if (!library)
        return Error{kName, 0,
                     "a Jetson's library for camera buffers is not installed here: on a Jetson, install "
                     "nvidia-l4t-multimedia-utils, and "
                     "mount it into a container"};
    NvBufApi api;
    if (!lookUp(api.mapEglImage, library, "NvBufSurfaceMapEglImage")
        || !lookUp(api.unMapEglImage, library, "NvBufSurfaceUnMapEglImage"))
        return Error{
            kName, 0,
            "the library for camera buffers has no NvBufSurfaceMapEglImage: it is that of a release before JetPack 5"};
    return api;
}

} // namespace

/// Tries the linker's paths first, then the folders of R36 and of earlier releases.
void *openNvBufLibrary()
{
    for (const char *folder : {"", "/usr/lib/aarch64-linux-gnu/nvidia/", "/usr/lib/aarch64-linux-gnu/tegra/"})
        for (const char *version : {"", ".1.0.0"})
            if (void *library = dlopen((std::string(folder) + kName + version).c_str(), RTLD_NOW | RTLD_LOCAL))
                return library;
    return nullptr;
}

const Result<NvBufApi> &realNvBufApi()
{
    static const Result<NvBufApi> api = load();
    return api;
}

} // namespace jetscope
