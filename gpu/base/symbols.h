// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

} // namespace jetscope
