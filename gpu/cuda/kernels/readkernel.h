// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace jetscope::cuda {

/// Reads the memory so many times in full, 16 bytes a thread at a time, past the L1 cache. The bytes behind the last
/// full 16 are left out.
cudaError_t readThrough(const std::byte *memory, std::size_t bytes, int passes, cudaStream_t stream);

} // namespace jetscope::cuda
