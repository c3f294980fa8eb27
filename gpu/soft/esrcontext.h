// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/soft/faultaccess.h"

#include <cstddef>
#include <span>

namespace jetscope {

/// The access that caused a fault, from the records that Linux appends to a signal frame on aarch64
/// (uc_mcontext.__reserved; the layout is that of <asm/sigcontext.h>). Unknown without a record of the exception
/// syndrome register (ESR), or for an exception that is no data abort. Async-signal-safe, and for any bytes; compiled
/// on every machine so that it is tested on every machine.
FaultAccess accessFromSignalRecords(std::span<const std::byte> records);

} // namespace jetscope
