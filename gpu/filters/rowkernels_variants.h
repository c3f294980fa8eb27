// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/filters/rowkernels.h"

namespace jetscope {

extern const RowKernels kBaselineRowKernels; ///< What every CPU of the architecture has: SSE2, NEON.
extern const RowKernels kAvx2RowKernels;     ///< x86 only, as the next.
extern const RowKernels kAvx512RowKernels;

} // namespace jetscope
