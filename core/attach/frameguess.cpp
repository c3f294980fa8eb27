// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/frameguess.h"

#include "core/attach/calltable.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace jetscope {

namespace {

constexpr std::size_t kFewestRepeats = 10;
constexpr double kRegular = 0.25;
constexpr double kLeastSure = 0.6;
/// Two calls that are about equally regular belong to the same loop.
constexpr double kSureStep = 0.05;
constexpr std::int64_t kGuessEveryNs = 1'000'000'000;
constexpr std::int64_t kKeptNs = 4'000'000'000;
constexpr std::size_t kMostReturns = 1 << 18;
constexpr int kIrregularBeforeChange = 3;

using Repeats = std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<std::int64_t>>; ///< By thread and call.

/// How likely such a call ends a frame, best first; empty for calls that do not.
std::optional<int> rankOf(const AttachCall &call)
{
    switch (call.work) {
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_CONTEXTSYNC:
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_FINISH:
    case JSA_WORK_GLWAIT:
    case JSA_WORK_READBACK:
    case JSA_WORK_RELEASE:
        return 0;
    case JSA_WORK_COPY:
    case JSA_WORK_COPYASYNC:
    case JSA_WORK_LAUNCH:
        return 1;
    default:
        return std::nullopt;
    }
}

/// The median interval in nanoseconds, and the share of the intervals that are near it.
std::pair<double, double> regularityOf(const std::vector<std::int64_t> &times)
{
    std::vector<double> intervals;
    for (std::size_t i = 1; i < times.size(); ++i)
        intervals.push_back(static_cast<double>(times[i] - times[i - 1]));
    const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
    std::nth_element(intervals.begin(), middle, intervals.end());
    const double median = *middle;
    const auto near = std::count_if(intervals.begin(), intervals.end(), [&](double interval) {
        return interval >= median * (1 - kRegular) && interval <= median * (1 + kRegular);
    });
    return {median, static_cast<double>(near) / static_cast<double>(intervals.size())};
}

/// The guess that a call repeats regularly; empty if it does not.
std::optional<FrameGuess> guessOf(const Repeats::value_type &repeat)
{
    const auto &[key, times] = repeat;
    if (times.size() < kFewestRepeats)
        return std::nullopt;
    const auto [medianNs, sure] = regularityOf(times);
    if (sure < kLeastSure || medianNs <= 0)
        return std::nullopt;
    return FrameGuess{key.second, key.first, medianNs / 1e6, sure};
}

std::optional<FrameGuess> bestOf(const Repeats &repeats)
{
    std::optional<FrameGuess> best;
    std::tuple<int, int, std::size_t> bestKey;
    for (const Repeats::value_type &repeat : repeats) {
        const std::optional<FrameGuess> guess = guessOf(repeat);
        if (!guess)
            continue;
        // Among equally regular calls the rarest: the others repeat within a frame.
        const std::tuple rank(*rankOf(*attachCall(guess->call)), -static_cast<int>(guess->sure / kSureStep),
                              repeat.second.size());
        if (best && rank >= bestKey)
            continue;
        best = guess;
        bestKey = rank;
    }
    return best;
}

} // namespace

std::optional<FrameGuess> guessFrames(std::span<const AttachEvent> events)
{
    Repeats repeats;
    for (const AttachEvent &event : events)
        if (rankOf(*attachCall(event.call)))
            repeats[{event.thread, event.call}].push_back(event.endNs);
    return bestOf(repeats);
}

void FrameGuesser::take(const AttachEvent &event)
{
    m_newestNs = std::max(m_newestNs, event.endNs);
    if (!m_guessedNs)
        m_guessedNs = m_newestNs;
    if (!rankOf(*attachCall(event.call)))
        return;
    m_returns.push_back({event.endNs, event.thread, event.call});
    // A call that comes late may be older than all that is kept.
    while (!m_returns.empty() && (m_returns.size() > kMostReturns || m_returns.front().endNs < m_newestNs - kKeptNs))
        m_returns.pop_front();
}

bool FrameGuesser::isDue()
{
    if (!m_guessedNs || m_newestNs - *m_guessedNs < kGuessEveryNs)
        return false;
    m_guessedNs = m_newestNs;
    return true;
}

std::optional<FrameGuess> FrameGuesser::guess(const std::optional<FrameGuess> &current)
{
    Repeats newest;
    Repeats all;
    for (const Return &returned : m_returns) {
        all[{returned.thread, returned.call}].push_back(returned.endNs);
        if (returned.endNs >= m_newestNs - kGuessEveryNs)
            newest[{returned.thread, returned.call}].push_back(returned.endNs);
    }
    std::erase_if(all, [&](const auto &repeat) { return repeat.second.back() < m_newestNs - kGuessEveryNs; });
    if (current) {
        for (const Repeats *repeats : {&newest, &all}) {
            const auto known = repeats->find({current->thread, current->call});
            const std::optional<FrameGuess> same = known == repeats->end() ? std::nullopt : guessOf(*known);
            if (!same)
                continue;
            m_irregular = 0;
            const bool hasChanged = std::abs(same->periodMs - current->periodMs) > current->periodMs * kRegular;
            return hasChanged ? same : std::nullopt;
        }
        if (++m_irregular < kIrregularBeforeChange)
            return std::nullopt;
    }
    std::optional<FrameGuess> best = bestOf(newest);
    if (!best)
        best = bestOf(all);
    if (best)
        m_irregular = 0;
    return best;
}

} // namespace jetscope
