// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace jetscope {

/// The median difference of the last time stamps: the rate that a stream has, whatever it claims. Not thread-safe.
class StampIntervals {
public:
    void add(std::int64_t stampNs)
    {
        if (m_any && stampNs > m_last)
            m_intervals[m_count++ % kKept] = stampNs - m_last;
        m_last = stampNs;
        m_any = true;
    }
    /// The next stamp is unrelated to those before.
    void restart() { m_any = false; }

    /// 0 while there are too few stamps.
    std::int64_t medianNs() const
    {
        constexpr std::size_t kEnough = 5;
        const std::size_t known = std::min(m_count, kKept);
        if (known < kEnough)
            return 0;
        auto sorted = m_intervals;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(known / 2);
        std::nth_element(sorted.begin(), middle, sorted.begin() + static_cast<std::ptrdiff_t>(known));
        return *middle;
    }
    double fps() const
    {
        const std::int64_t median = medianNs();
        return median > 0 ? 1e9 / static_cast<double>(median) : 0;
    }

private:
    static constexpr std::size_t kKept = 61;

    std::array<std::int64_t, kKept> m_intervals{};
    std::size_t m_count = 0;
    std::int64_t m_last = 0;
    bool m_any = false;
};

} // namespace jetscope
