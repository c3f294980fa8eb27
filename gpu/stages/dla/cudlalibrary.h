// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/stages/dla/cudlaabi.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// NVIDIA's cuDLA, loaded at run time. Stays loaded. Any thread.
class CudlaLibrary {
public:
    /// `path`: libcudla.so.1 or libcudla.so of JetPack if empty. Errors: no such library, or it is damaged or not of
    /// major version 1.
    static Result<CudlaLibrary> load(const std::string &path);

    const cudla::Functions &functions() const { return m_functions; }
    /// "1.2.1"
    std::string version() const;
    /// An error says why the engines cannot be counted.
    Result<int> deviceCount() const;
    /// An error if the library lacks functions of the standalone mode.
    Status standalone() const;
    /// An Error with the name of the status.
    Status check(const char *call, int status) const;

private:
    cudla::Functions m_functions;
    std::uint64_t m_version = 0;
};

/// "cudlaErrorUmd"
std::string cudlaStatusName(int status);

} // namespace jetscope
