// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/kernelstamps.h"

#include <memory>

namespace jetscope {

/// Stamps of %globaltimer, in the current device's memory.
Result<std::unique_ptr<KernelStamps>> createCudaStamps(std::size_t slotCount);

} // namespace jetscope
