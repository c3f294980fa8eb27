// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/device/device.h"

namespace jetscope {

/// Puts all passes of a chain into the stream; what lies between two passes is the stream's scratch memory.
Status launchChain(const ChainLaunch &work, CudaStream &stream);

} // namespace jetscope
