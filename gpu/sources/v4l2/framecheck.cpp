// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/framecheck.h"

#include <algorithm>

namespace jetscope {

namespace {

/// Some drivers count in ticks of their timer, and the clocks of two CPUs differ; a smaller lead counts as the present.
constexpr std::int64_t kAhead = 10'000'000;
/// Enough for exposure, transfer and a queue of buffers at the lowest rates.
constexpr std::int64_t kOldest = 2'000'000'000;

} // namespace

std::uint64_t SequenceCounter::index(std::uint32_t sequence)
{
    const std::uint32_t ahead = sequence - m_last; // Modulo 2^32, like the driver's counter.
    if (m_known && ahead >= 1 && ahead <= kLongestGap)
        m_next += ahead - 1;
    m_last = sequence;
    m_known = true;
    return m_next++;
}

bool RepeatCheck::isRepeated(std::uint32_t sequence, std::int64_t stampNs)
{
    const bool sameNumber = m_known && sequence == m_sequence;
    const bool sameStamp = m_known && stampNs > 0 && stampNs == m_stampNs;
    m_numbers = m_numbers || (m_known && !sameNumber);
    m_known = true;
    m_sequence = sequence;
    m_stampNs = stampNs;
    return sameStamp || (sameNumber && m_numbers);
}

void GoodFrames::good(std::int64_t ns)
{
    m_at = Clock::now();
    m_lastNs = ns;
    m_badInARow = m_otherSizes = 0;
}

bool GoodFrames::isMissed() const
{
    constexpr std::chrono::seconds kAlone{2};
    constexpr int kBadInARow = 30;
    constexpr int kOtherSizes = 3;
    return m_badInARow >= kBadInARow || m_otherSizes >= kOtherSizes || since() >= kAlone;
}

std::int64_t TimestampCheck::captureNs(std::int64_t stampNs, bool monotonicClock, std::int64_t arrivalNs)
{
    const char *wrong = nullptr;
    if (!monotonicClock)
        wrong = "are of another clock than the rest of the system's";
    else if (stampNs > arrivalNs + kAhead)
        wrong = "lie in the future";
    else if (stampNs < arrivalNs - kOldest)
        wrong = "are older than any frame can be";
    else if (stampNs <= m_last)
        wrong = "do not advance from frame to frame";
    m_replaced += wrong ? 1 : 0;
    if (wrong)
        m_complaint = std::string("the camera's time stamps ") + wrong + ": frames are dated by their arrival";
    m_last = std::max(m_last + 1, wrong ? arrivalNs : std::min(stampNs, arrivalNs));
    return m_last;
}

} // namespace jetscope
