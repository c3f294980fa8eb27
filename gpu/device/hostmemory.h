// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/device/buffer.h"

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace jetscope {

/// Pageable memory (malloc), aligned to pages so that it can be registered.
struct HostMemoryDeleter {
    void operator()(std::byte *memory) const { std::free(memory); }
};
using HostMemory = std::unique_ptr<std::byte, HostMemoryDeleter>;

Result<HostMemory> allocateHostMemory(std::size_t bytes);

/// The same as a buffer: Allocation::Pageable of every device, and Allocation::System of those that reach it in place.
Result<std::unique_ptr<Buffer>> allocatePageable(std::size_t bytes);
Result<std::unique_ptr<Buffer>> allocateSystem(std::size_t bytes);

} // namespace jetscope
