// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace jetscope {

/// Turns a driver's sequence numbers into a source's frame indices: a gap stays a gap, so that it counts as a drop.
/// Numbers that stand still, run backwards or jump absurdly say nothing about frames, and a camera that came back
/// starts anew.
class SequenceCounter {
public:
    std::uint64_t index(std::uint32_t sequence);
    /// The next number has nothing to do with those before.
    void restart() { m_known = false; }

private:
    static constexpr std::uint32_t kLongestGap = 10'000;

    std::uint64_t m_next = 0;
    std::uint32_t m_last = 0;
    bool m_known = false;
};

/// Holds a driver's time stamps against the clock: those that cannot be are replaced by the time of arrival.
class TimestampCheck {
public:
    /// `arrivalNs` is now.
    std::int64_t captureNs(std::int64_t stampNs, bool monotonicClock, std::int64_t arrivalNs);
    void restart() { m_last = 0; }

    /// What is wrong with the driver's stamps; empty while nothing is.
    const std::string &complaint() const { return m_complaint; }
    /// How many were replaced.
    std::uint64_t replaced() const { return m_replaced; }

private:
    std::int64_t m_last = 0;
    std::uint64_t m_replaced = 0;
    std::string m_complaint;
};

} // namespace jetscope
