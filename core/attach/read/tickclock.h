// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

namespace jetscope {

/// Converts times of an inspected program's records to CLOCK_MONOTONIC. The program stores counts of the CPU's
/// invariant counter, which is the same for all processes; the collector reads counter and clock together from time to
/// time and interpolates. Increasing counts give increasing times. Not thread-safe.
class TickClock {
public:
    /// `counts`: times are counts; otherwise they are nanoseconds already.
    explicit TickClock(bool counts);

    /// Reads counter and clock. Call before reading records, so that their times lie between two readings. Returns the
    /// time now, in the program's unit.
    std::uint64_t update();
    std::int64_t toNs(std::uint64_t count) const;
    /// Duration of so many units; 0 while the rate is unknown.
    double nsPer(double units) const;

private:
    struct Reading {
        std::uint64_t count = 0;
        std::int64_t ns = 0;
    };
    Reading read() const;

    const bool m_counts;
    std::deque<Reading> m_readings; ///< At least two, oldest first; bounded.
};

} // namespace jetscope
