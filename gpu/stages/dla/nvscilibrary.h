// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/stages/dla/nvsciabi.h"

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>

namespace jetscope {

/// NVIDIA's NvSciBuf or NvSciSync, loaded at run time. Stays loaded. Any thread.
class NvSciLibrary {
public:
    enum class Kind { Buffers, Syncs };

    /// `path`: the library of L4T if empty. Errors: no such library, or it is damaged or not of major version 2.
    static Result<NvSciLibrary> load(Kind kind, const std::string &path);

    const nvsci::Functions &functions() const { return m_functions; }
    /// An Error with the name of the code. `call` is the name without "NvSciBuf" or "NvSciSync".
    Status check(const char *call, int code) const;

private:
    std::string m_name; ///< "NvSciBuf"
    nvsci::Functions m_functions;
};

/// An instance of one of these libraries. Its objects must be freed before it goes.
class NvSciModule {
public:
    /// Writes what one user needs into a new list.
    using Fill = std::function<Status(nvsci::List list)>;

    static Result<std::unique_ptr<NvSciModule>> open(const NvSciLibrary &library);
    ~NvSciModule();
    NvSciModule(const NvSciModule &) = delete;
    NvSciModule &operator=(const NvSciModule &) = delete;

    /// A buffer or synchronization object that suits all users. An error names the call that failed.
    Result<nvsci::Object> make(std::initializer_list<Fill> users) const;
    void free(nvsci::Object object) const;
    const NvSciLibrary &library() const { return m_library; }

private:
    explicit NvSciModule(const NvSciLibrary &library) : m_library(library) {}

    const NvSciLibrary m_library;
    nvsci::Module m_module = nullptr;
};

} // namespace jetscope
