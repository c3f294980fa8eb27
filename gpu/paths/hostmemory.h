// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>

namespace jetscope {

/// Pageable memory (malloc), page-aligned so that it can be registered.
struct HostMemoryDeleter {
    void operator()(std::byte *memory) const { std::free(memory); }
};
using HostMemory = std::unique_ptr<std::byte, HostMemoryDeleter>;

inline Result<HostMemory> allocateHostMemory(std::size_t bytes)
{
    constexpr std::size_t kPage = 65536; // The largest page size of the supported kernels.
    auto *memory = static_cast<std::byte *>(std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage));
    if (!memory)
        return Error{"malloc", 0,
                     std::to_string(bytes)
                         + " bytes could not be had; choose a smaller frame size or fewer frames in flight"};
    return HostMemory(memory);
}

} // namespace jetscope
