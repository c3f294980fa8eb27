// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <cuda_runtime_api.h>

namespace jetscope {

/// Moves managed memory to the device with this number, or to the host, in stream order. Discards what it holds where
/// that is asked for and the driver can.
Status prefetchManaged(Buffer &managed, PrefetchTo side, Content content, int ordinal, cudaStream_t stream);

} // namespace jetscope
