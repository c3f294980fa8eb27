// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// What could stand for a frame in a trace of another program, for its user to choose from: ranges that repeat, numbers
/// at the ends of their names aside. One thread.
class FrameChoices {
public:
    void add(std::string_view text, std::uint64_t count, std::int64_t durationNs);
    /// At most 30, those first whose ranges take the most time.
    std::vector<std::string> names() const;

private:
    struct Sum {
        std::uint64_t count = 0;
        double durationNs = 0;
    };
    std::unordered_map<std::string, Sum> m_sums;
};

} // namespace jetscope
