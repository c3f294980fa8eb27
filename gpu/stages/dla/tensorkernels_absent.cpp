// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// For builds without CUDA.
#include "gpu/stages/dla/tensorkernels.h"

namespace jetscope {

const TensorKernels *cudaTensorKernels()
{
    return nullptr;
}

} // namespace jetscope
