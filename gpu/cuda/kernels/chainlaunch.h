// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/device/device.h"

#include <span>

namespace jetscope {

/// Puts all passes of a chain into the stream; what lies between two passes is the stream's scratch memory. `stages`
/// are those of the chain, in order.
Status launchChain(const ChainLaunch &work, std::span<StageInstance *const> stages, CudaStream &stream);

} // namespace jetscope
