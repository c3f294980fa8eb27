// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/cudaexternal.h"

#include "gpu/base/symbols.h"

namespace jetscope {

Result<CudaExternal> CudaExternal::load(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(SymbolTable symbols, openDriver(path));
    CudaExternal api;
    symbols.find(api.currentDevice, "cuCtxGetDevice");
    symbols.find(api.deviceUuid, "cuDeviceGetUuid");
    symbols.find(api.syncAttributes, "cuDeviceGetNvSciSyncAttributes");
    symbols.find(api.importMemory, "cuImportExternalMemory");
    symbols.find(api.mapMemory, "cuExternalMemoryGetMappedBuffer");
    symbols.find(api.destroyMemory, "cuDestroyExternalMemory");
    symbols.find(api.importSemaphore, "cuImportExternalSemaphore");
    symbols.find(api.destroySemaphore, "cuDestroyExternalSemaphore");
    symbols.find(api.signal, "cuSignalExternalSemaphoresAsync");
    symbols.find(api.wait, "cuWaitExternalSemaphoresAsync");
    JETSCOPE_TRY(checkDriver(symbols));
    return api;
}

} // namespace jetscope
