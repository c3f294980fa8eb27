// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace jetscope {

/// Which times of an export can be: those that lie with most others. Not thread-safe.
class NsysTimes {
public:
    /// Adds the times of a row; `endNs` is the start if there is no end.
    void add(std::int64_t startNs, std::int64_t endNs);
    /// Call once, behind the last row.
    void settle();

    /// Whether an event can begin then: not at 0 if all others are minutes away, and not days from the others.
    bool canBegin(std::int64_t startNs) const;
    /// The bounds of all times that can be.
    std::int64_t firstNs() const { return m_firstNs; }
    std::int64_t lastNs() const { return m_lastNs; }

private:
    struct Sample {
        std::int64_t startNs;
        std::int64_t endNs;
    };
    std::vector<Sample> m_samples; ///< An even choice of all rows.
    std::uint64_t m_rows = 0;
    std::uint64_t m_random = 1;
    std::int64_t m_lowNs = 0; ///< The first and third quarter of the starts.
    std::int64_t m_highNs = 0;
    std::int64_t m_leastNs = 0; ///< Of all rows.
    std::int64_t m_mostNs = 0;
    std::int64_t m_firstNs = 0;
    std::int64_t m_lastNs = 0;
};

} // namespace jetscope
