// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>
#include <type_traits>
#include <utility>

#include <dlfcn.h>

namespace jetscope {

/// An address that becomes a pointer to the function that is asked for.
struct SymbolAddress {
    void *address = nullptr;

    template <class Function, class = std::enable_if_t<std::is_function_v<Function>>>
    operator Function *() const
    {
        return reinterpret_cast<Function *>(address);
    }
};

/// The base of a table of functions of a loaded library, whose members look themselves up:
///     struct NvmlApi : SymbolTable { using SymbolTable::SymbolTable; int (*init)() = find("nvmlInit_v2"); };
/// All are null in a table without a library. Tests fill such tables, or compare their types with NVIDIA's headers.
class SymbolTable {
public:
    /// The prefix stands before all names.
    explicit SymbolTable(void *library = nullptr, std::string prefix = {})
        : m_library(library), m_prefix(std::move(prefix))
    {
    }

    /// The first function that was not found and is not optional; empty if there is none.
    const std::string &missing() const { return m_missing; }
    SymbolAddress find(const char *name)
    {
        const SymbolAddress found = optional(name);
        if (m_library && !found.address && m_missing.empty())
            m_missing = m_prefix + name;
        return found;
    }
    SymbolAddress optional(const char *name) const
    {
        return {m_library ? dlsym(m_library, (m_prefix + name).c_str()) : nullptr};
    }

protected:
    void *library() const { return m_library; }

private:
    void *m_library;
    std::string m_prefix;
    std::string m_missing;
};

/// A table of functions of the CUDA driver. `path` is libcuda.so.1 except in tests. Stays loaded.
template <class Table>
Result<Table> loadDriver(const std::string &path)
{
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return sentence("there is no NVIDIA driver on this machine; install it, or pass the GPU into the container");
    Table table(library);
    if (!table.missing().empty())
        return sentence("the NVIDIA driver has no function " + table.missing() + "; update it (JetPack on a Jetson)");
    return table;
}

} // namespace jetscope
