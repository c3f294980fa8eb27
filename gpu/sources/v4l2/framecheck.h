// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace jetscope {

/// Converts a driver's sequence numbers to a source's frame indices: a gap remains and counts as a drop. Repeated,
/// decreasing or wildly jumping numbers carry no information and cause no gap, and a camera restarts its numbers after
/// a reconnect.
class SequenceCounter {
public:
    std::uint64_t index(std::uint32_t sequence);
    /// The next number is unrelated to those before.
    void restart() { m_known = false; }

private:
    static constexpr std::uint32_t kLongestGap = 10'000;

    std::uint64_t m_next = 0;
    std::uint32_t m_last = 0;
    bool m_known = false;
};

/// Checks a driver's time stamps against the clock and replaces implausible ones with the arrival time.
class TimestampCheck {
public:
    /// `arrivalNs` is the current time.
    std::int64_t captureNs(std::int64_t stampNs, bool monotonicClock, std::int64_t arrivalNs);
    void restart() { m_last = 0; }

    /// The problem with the driver's stamps; empty if there is none.
    const std::string &complaint() const { return m_complaint; }
    /// How many stamps were replaced.
    std::uint64_t replaced() const { return m_replaced; }

private:
    std::int64_t m_last = 0;
    std::uint64_t m_replaced = 0;
    std::string m_complaint;
};

} // namespace jetscope
