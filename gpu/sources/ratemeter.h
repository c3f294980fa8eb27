// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// The period of a stream by the differences of its time stamps, in their order: the median of sums of some of them, so
/// that neither gaps nor jitter nor the steps of a coarse clock matter. 0 if there are none above 0.
double typicalPeriod(std::vector<std::int64_t> differences);

/// Measures the rate of a stream that runs, by the time stamps of its newest frames. One thread.
class RateMeter {
public:
    void add(std::int64_t stampNs);
    /// After a pause or a reconnect: the next stamp is not compared with those before.
    void restart() { m_known = false; }
    /// Frames per second; 0 until it is known. Costs little; the result changes with some of the frames only.
    double fps() const { return m_periodNs > 0 ? 1e9 / static_cast<double>(m_periodNs) : 0; }
    /// The typical difference of two stamps; 0 until it is known.
    std::int64_t periodNs() const { return m_periodNs; }

private:
    static constexpr std::size_t kMin = 8;
    static constexpr std::size_t kKept = 120;

    std::vector<std::int64_t> m_differences; ///< A ring once it is full.
    std::size_t m_at = 0;
    std::size_t m_sinceCount = 0;
    std::int64_t m_last = 0;
    bool m_known = false;
    std::int64_t m_periodNs = 0;
};

} // namespace jetscope
