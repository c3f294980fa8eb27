// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/symbols.h"

#include <string>

namespace jetscope {

/// The functions of the CUDA driver. `path` is libcuda.so.1 except in tests. Stays loaded.
inline Result<SymbolTable> openDriver(const std::string &path)
{
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return sentence("there is no NVIDIA driver on this machine; install it, or pass the GPU into the container");
    return SymbolTable(library);
}

/// An error if the driver lacks a function that was looked for.
inline Status checkDriver(const SymbolTable &symbols)
{
    if (symbols.missing().empty())
        return {};
    return sentence("the NVIDIA driver has no function " + symbols.missing() + "; update it (JetPack on a Jetson)");
}

} // namespace jetscope
