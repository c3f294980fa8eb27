// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudadriver.h"

namespace jetscope {

const MemoryDriver &MemoryDriver::loaded()
{
    static const MemoryDriver driver(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL));
    return driver;
}

Status MemoryDriver::check(const char *call, int code) const
{
    if (code == 0)
        return {};
    const char *text = nullptr;
    if (!getErrorString || getErrorString(code, &text) != 0 || !text)
        text = "an error that the driver does not name";
    return Error{call, code, text};
}

} // namespace jetscope
