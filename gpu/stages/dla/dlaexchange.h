// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/cudaexternal.h"
#include "gpu/stages/dla/nvscilibrary.h"
#include "gpu/stages/kerneldriver.h"

#include <memory>
#include <string>

namespace jetscope {

/// NvSciBuf and NvSciSync, by which CUDA and cuDLA share memory and synchronize in standalone mode.
struct NvSciLibraries {
    NvSciLibrary buffers;
    NvSciLibrary syncs;

    /// Paths as in NvSciLibrary::load.
    static Result<NvSciLibraries> load(const std::string &buffers, const std::string &syncs);
};

/// What the lanes of a loadable in standalone mode have in common.
struct DlaExchange {
    CudaExternal cuda;
    int cudaDevice = 0;
    nvsci::GpuId gpu;
    std::unique_ptr<NvSciModule> buffers;
    std::unique_ptr<NvSciModule> syncs;

    /// For the CUDA device that is current. `cudaLibrary` is libcuda.so.1 except in tests.
    static Result<std::unique_ptr<DlaExchange>> open(const NvSciLibraries &libraries, const KernelDriver &driver,
                                                     const std::string &cudaLibrary);
};

} // namespace jetscope
