// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/system/temporaryfolder.h"

#include <string>
#include <vector>

namespace jetscope {

/// CUDA's driver as NVIDIA builds it for finding kernels that hang (libcuda_instrumentation.so, CUDA 12.9 and newer on
/// a Jetson), in a folder where the linker takes it in place of libcuda.so.1. Source: "CUDA for Tegra", CUDA
/// Instrumentation Methods. Not tried on a Jetson.
class InstrumentedDriver {
public:
    /// Where JetPack installs it; empty if it is not there. `root` is the folder used as "/".
    static std::string find(const std::string &root = "/");
    static Result<InstrumentedDriver> prepare(const std::string &library);

    const std::string &library() const { return m_library; }
    /// "NAME=value" for the program that is to use it. `searched`: its LD_LIBRARY_PATH without this.
    std::vector<std::string> variables(const char *searched) const;

private:
    InstrumentedDriver(std::string library, TemporaryFolder folder)
        : m_library(std::move(library)), m_folder(std::move(folder))
    {
    }

    std::string m_library;
    TemporaryFolder m_folder; ///< Its libcuda.so.1 is a link to the library.
};

} // namespace jetscope
