// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/esrcontext.h"

#include <ucontext.h>

namespace jetscope {

FaultAccess faultAccess(const void *context)
{
    const auto &records = static_cast<const ucontext_t *>(context)->uc_mcontext.__reserved;
    return accessFromSignalRecords(std::as_bytes(std::span(records)));
}

std::uintptr_t faultCode(const void *context)
{
    return static_cast<std::uintptr_t>(static_cast<const ucontext_t *>(context)->uc_mcontext.pc);
}

} // namespace jetscope
