// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/faultaccess.h"

namespace jetscope {

FaultAccess faultAccess(const void *)
{
    // Arm kernels report the direction in a record that user space need not get.
    return FaultAccess::Unknown;
}

} // namespace jetscope
