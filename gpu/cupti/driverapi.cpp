// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/driverapi.h"

#include <dlfcn.h>

namespace jetscope {

void *currentCudaContext()
{
    // Use only a driver that is already loaded: without one no context can be current.
    void *const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!driver)
        return nullptr;
    int (*const getCurrent)(void **context) = SymbolTable(driver).find("cuCtxGetCurrent");
    void *context = nullptr;
    if (!getCurrent || getCurrent(&context) != 0)
        context = nullptr;
    dlclose(driver); // Releases only the reference taken above.
    return context;
}

} // namespace jetscope
