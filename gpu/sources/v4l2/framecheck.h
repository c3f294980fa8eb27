// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
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

/// Whether a driver returns a frame twice: with the same number, if it numbers them at all, or with the same time
/// stamp.
class RepeatCheck {
public:
    /// `stampNs` is 0 if there is none.
    bool isRepeated(std::uint32_t sequence, std::int64_t stampNs);
    void restart() { m_known = m_numbers = false; }

private:
    std::uint32_t m_sequence = 0;
    std::int64_t m_stampNs = 0;
    bool m_known = false;
    bool m_numbers = false; ///< The number has changed: some drivers leave it 0.
};

/// How long a stream has had no good frame. One thread.
class GoodFrames {
public:
    using Clock = std::chrono::steady_clock;

    /// The stream starts.
    void restart() { m_at = Clock::now(); }
    void good(std::int64_t ns);
    void bad() { ++m_badInARow; }
    /// Of a bad frame before `bad`: it was whole, but had another size.
    void otherSize() { ++m_otherSizes; }

    Clock::duration since() const { return Clock::now() - m_at; }
    std::int64_t lastNs() const { return m_lastNs; } ///< 0 if there was none.
    /// Whether it is time to tell the user.
    bool isMissed() const;

private:
    Clock::time_point m_at{};
    std::int64_t m_lastNs = 0;
    int m_badInARow = 0;
    int m_otherSizes = 0;
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
