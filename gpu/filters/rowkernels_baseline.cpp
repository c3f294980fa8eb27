// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/filters/rowkernels_variants.h"
#include "gpu/filters/rowloops.h"

namespace jetscope {

const RowKernels kBaselineRowKernels = rowLoops;

} // namespace jetscope
