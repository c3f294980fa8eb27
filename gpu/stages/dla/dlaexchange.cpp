// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/dlaexchange.h"

namespace jetscope {

Result<NvSciLibraries> NvSciLibraries::load(const std::string &buffers, const std::string &syncs)
{
    JETSCOPE_TRY_ASSIGN(NvSciLibrary bufferLibrary, NvSciLibrary::load(NvSciLibrary::Kind::Buffers, buffers));
    JETSCOPE_TRY_ASSIGN(NvSciLibrary syncLibrary, NvSciLibrary::load(NvSciLibrary::Kind::Syncs, syncs));
    return NvSciLibraries{std::move(bufferLibrary), std::move(syncLibrary)};
}

Result<std::unique_ptr<DlaExchange>> DlaExchange::open(const NvSciLibraries &libraries, const KernelDriver &driver,
                                                       const std::string &cudaLibrary)
{
    auto exchange = std::make_unique<DlaExchange>();
    JETSCOPE_TRY_ASSIGN(exchange->cuda, CudaExternal::load(cudaLibrary));
    const CudaExternal &cuda = exchange->cuda;
    JETSCOPE_TRY(driver.check("cuCtxGetDevice", cuda.currentDevice(&exchange->cudaDevice)));
    JETSCOPE_TRY(driver.check("cuDeviceGetUuid", cuda.deviceUuid(exchange->gpu.bytes, exchange->cudaDevice)));
    JETSCOPE_TRY_ASSIGN(exchange->buffers, NvSciModule::open(libraries.buffers));
    JETSCOPE_TRY_ASSIGN(exchange->syncs, NvSciModule::open(libraries.syncs));
    return exchange;
}

} // namespace jetscope
