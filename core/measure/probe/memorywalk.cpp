// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/probe/memorywalk.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::size_t kWords = 8; ///< Independent sums, so that no read waits for another one.
std::atomic<std::uint64_t> keptSum{0};

} // namespace

void readThrough(const std::byte *memory, std::size_t bytes, int passes)
{
    for (int pass = 0; pass < passes; ++pass) {
        std::array<std::uint64_t, kWords> sums{};
        for (std::size_t at = 0; at + sizeof sums <= bytes; at += sizeof sums) {
            std::array<std::uint64_t, kWords> words;
            std::memcpy(words.data(), memory + at, sizeof words);
            for (std::size_t i = 0; i < kWords; ++i)
                sums[i] += words[i];
        }
        std::uint64_t sum = 0;
        for (const std::uint64_t part : sums)
            sum += part;
        keptSum.store(sum, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
}

void writeThrough(std::byte *memory, std::size_t bytes, unsigned char value)
{
    std::memset(memory, value, bytes);
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

std::size_t largestCpuCache()
{
    long most = 0;
    for (const int name : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE})
        most = std::max(most, sysconf(name));
    return static_cast<std::size_t>(most);
}

} // namespace jetscope
