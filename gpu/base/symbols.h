// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>

#include <dlfcn.h>

namespace jetscope {

/// Looks up the functions of a loaded library and records the first missing one.
class SymbolTable {
public:
    explicit SymbolTable(void *library) : m_library(library) {}

    template <class Function>
    void find(Function &function, const char *name)
    {
        function = reinterpret_cast<Function>(dlsym(m_library, name));
        if (!function && m_missing.empty())
            m_missing = name;
    }
    const std::string &missing() const { return m_missing; }

private:
    void *m_library;
    std::string m_missing;
};

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
