// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace jetscope {

/// What a reader of a trace wrote at a time, or at a range of it. Without a text it is a bookmark.
struct TraceNote {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0; ///< The same as the start for a time.
    std::string text;

    bool operator==(const TraceNote &) const = default;
};

/// Files may claim to have any number.
inline constexpr std::size_t kMaxTraceNotes = 10'000;

} // namespace jetscope
