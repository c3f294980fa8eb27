// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/silencewatch.h"

#include <algorithm>
#include <string>
#include <utility>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kLookAtLeastEvery{1};
constexpr int kLooksInSilence = 8;
constexpr int kWokenPart = 4;
/// Two clocks that are read one after the other differ by less, unless the machine slept.
constexpr std::int64_t kShortestSleepNs = 100'000'000;

} // namespace

void SilenceWatch::begin()
{
    m_sleptNs = m_slept();
    m_hasWoken = false;
}

std::chrono::milliseconds SilenceWatch::every() const
{
    return std::min<std::chrono::milliseconds>(kLookAtLeastEvery, m_longest / kLooksInSilence);
}

void SilenceWatch::look(Link &link)
{
    const auto now = Clock::now();
    if (const std::int64_t slept = m_slept(); slept - std::exchange(m_sleptNs, slept) > kShortestSleepNs) {
        link.measureClockAnew();
        link.ping();
        m_wokeAt = now;
        m_hasWoken = true;
    }
    Clock::duration silence = link.silence();
    Clock::duration longest = m_longest;
    m_hasWoken = m_hasWoken && silence >= now - m_wokeAt;
    if (m_hasWoken) {
        silence = now - m_wokeAt;
        longest /= kWokenPart;
    }
    if (silence >= longest)
        return link.fail(Error{"", 0,
                               "The board has not answered for "
                                   + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(silence).count())
                                   + " s"});
    if (silence >= longest / 2)
        link.ping();
}

} // namespace jetscope
