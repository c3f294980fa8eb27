// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// Candidates for frames in a trace of another program, offered to the user for selection: ranges that repeat, ignoring
/// numbers at the ends of their names. Not thread-safe.
class FrameChoices {
public:
    struct Sum {
        std::uint64_t count = 0;
        double durationNs = 0;
    };

    void add(std::string_view text, std::uint64_t count, std::int64_t durationNs);
    /// By name, ignoring numbers at its end.
    const std::unordered_map<std::string, Sum> &sums() const { return m_sums; }
    /// At most 30 names, sorted by total duration, longest first.
    std::vector<std::string> names() const;

private:
    std::unordered_map<std::string, Sum> m_sums;
};

} // namespace jetscope
