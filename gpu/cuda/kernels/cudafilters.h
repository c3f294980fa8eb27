// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/passes.h"
#include "gpu/cuda/kernels/passtable.h"

namespace jetscope {

/// Gives a filter of core's table its CUDA kernel. Errors, thread and time are addPass's.
Status addCudaFilter(Filter filter, PassLaunch launch);

} // namespace jetscope
