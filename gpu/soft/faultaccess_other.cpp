// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/faultaccess.h"

namespace jetscope {

FaultAccess faultAccess(const void *)
{
    // Arm kernels report the access type in a context record that may be missing in user space.
    return FaultAccess::Unknown;
}

std::uintptr_t faultCode(const void *)
{
    return 0;
}

} // namespace jetscope
