// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace jetscope {

/// Reads the memory so many times in full, on the calling thread. The bytes behind the last full 64 are left out. The
/// compiler cannot drop the reads or combine passes.
void readThrough(const std::byte *memory, std::size_t bytes, int passes = 1);

/// Writes every byte.
void writeThrough(std::byte *memory, std::size_t bytes, unsigned char value);

/// Size of the largest cache of the CPU in bytes; 0 if the system does not report it.
std::size_t largestCpuCache();

} // namespace jetscope
