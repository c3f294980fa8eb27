// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/kerneldriver.h"

namespace jetscope {

Status KernelDriver::check(const char *call, int code) const
{
    if (code == 0)
        return {};
    const char *text = nullptr;
    if (getErrorString(code, &text) != 0 || !text)
        text = "an error that the driver does not name";
    return Error{call, code, text};
}

} // namespace jetscope
