// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/faultaccess.h"

namespace jetscope {

FaultAccess faultAccess(const void *)
{
    return FaultAccess::Unknown;
}

std::uintptr_t faultCode(const void *)
{
    return 0;
}

} // namespace jetscope
