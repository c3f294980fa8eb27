// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/faultaccess.h"

#include <ucontext.h>

namespace jetscope {

FaultAccess faultAccess(const void *context)
{
    // Bit 1 of the page-fault error code: the access was a write (Intel SDM, volume 3, "Page-Fault Exception").
    const auto *machine = static_cast<const ucontext_t *>(context);
    return (machine->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? FaultAccess::Write : FaultAccess::Read;
}

std::uintptr_t faultCode(const void *context)
{
    return static_cast<std::uintptr_t>(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
}

} // namespace jetscope
