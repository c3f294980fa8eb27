// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace jetscope {

/// Times of a trace are within ±146 years, so that no difference and no sum of disjoint intervals overflows. Files may
/// contain any values and must be checked.
inline constexpr std::int64_t kMaxTraceNs = (std::int64_t{1} << 62) - 1;

constexpr bool isTraceTime(std::int64_t ns)
{
    return ns >= -kMaxTraceNs && ns <= kMaxTraceNs;
}

/// Whether an interval is within the limits of a trace. The check itself cannot overflow.
constexpr bool isTracePiece(std::int64_t startNs, std::int64_t durationNs)
{
    return isTraceTime(startNs) && durationNs >= 0 && durationNs <= kMaxTraceNs - startNs;
}

/// Whether a time is one of this century on the clock of Unix.
constexpr bool isUnixTime(std::int64_t ns)
{
    constexpr std::int64_t kYear2000Ns = 946'684'800'000'000'000;
    constexpr std::int64_t kYear2100Ns = 4'102'444'800'000'000'000;
    return ns >= kYear2000Ns && ns < kYear2100Ns;
}

/// Sum of two non-negative numbers, saturated at the maximum.
template <class T>
constexpr T saturatingSum(T a, T b)
{
    return a > std::numeric_limits<T>::max() - b ? std::numeric_limits<T>::max() : a + b;
}

} // namespace jetscope
