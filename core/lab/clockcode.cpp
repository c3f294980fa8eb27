// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/clockcode.h"

#include <bit>

namespace jetscope {

namespace {

/// x^11 + x^10 + x^6 + x^5 + x^4 + x^2 + 1 generates the Golay code of 23 bits.
constexpr std::uint32_t kGolay = 0xC75;
constexpr int kGolayBits = 11;

std::uint16_t checkOf(std::uint16_t data)
{
    std::uint32_t rest = static_cast<std::uint32_t>(data) << kGolayBits;
    for (int bit = kClockBits - 1; bit >= 0; --bit)
        if (rest >> (bit + kGolayBits) & 1U)
            rest ^= kGolay << bit;
    const std::uint32_t word = static_cast<std::uint32_t>(data) << kGolayBits | rest;
    const auto parity = static_cast<std::uint32_t>(std::popcount(word)) & 1U;
    return static_cast<std::uint16_t>(rest << 1U | parity);
}

} // namespace

int clockMsAt(std::int64_t ns)
{
    return static_cast<int>(ns / 1'000'000 % kClockMs);
}

ClockCode clockCode(std::int64_t ms)
{
    const auto time = static_cast<std::uint32_t>((ms % kClockMs + kClockMs) % kClockMs);
    const auto data = static_cast<std::uint16_t>(time ^ time >> 1U);
    return {data, checkOf(data)};
}

std::optional<int> clockTime(const ClockCode &code)
{
    if (code.data >= kClockMs || checkOf(code.data) != code.check)
        return std::nullopt;
    std::uint32_t time = code.data;
    for (std::uint32_t shift = 1; shift < kClockBits; shift *= 2)
        time ^= time >> shift;
    return static_cast<int>(time);
}

} // namespace jetscope
