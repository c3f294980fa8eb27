// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/heldcalls.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxHeld = 200'000;
constexpr std::int64_t kLongestHoldNs = 3'000'000'000;
constexpr std::int64_t kReleasedAtOnceNs = 250'000'000;
constexpr std::int64_t kGuessEveryNs = 1'000'000'000;
constexpr std::int64_t kLongestPause = 2; ///< Of looks that find nothing; in the time above.
/// A loop must cover so much of the calls that are held back, but not at the end of a program if it waits for the GPU:
/// short programs set up for longer.
constexpr double kMinCovered = 0.2;
constexpr double kMinCoveredAtEnd = 0.1;

} // namespace

void HeldCalls::watch(const std::vector<AttachEvent> &calls, const FrameFinder &frames, std::int64_t completeNs)
{
    const bool isLoop = frames.source() == FrameFinder::Source::Guess;
    if (!isLoop)
        m_watch.stop();
    for (const AttachEvent &call : calls)
        m_watch.take(call);
    const bool isDoubtful = !isLoop || m_watch.isStale(completeNs);
    if (m_isOn || !frames.wantsGuess() || !isDoubtful)
        return;
    m_isOn = true;
    m_ahead = frames;
    m_guessedNs = completeNs;
}

void HeldCalls::add(AttachEvent call, std::int32_t process)
{
    m_ahead.take(call, process);
    if (m_guessedNs == 0)
        m_guessedNs = call.startNs;
    m_calls.push_back(std::move(call));
}

bool HeldCalls::isKnown(const FrameFinder &frames, std::int64_t completeNs) const
{
    const bool isLong = completeNs - m_calls.front().startNs > kGuessEveryNs;
    const bool goesOn = frames.source() == FrameFinder::Source::Guess && !m_watch.isStale(completeNs);
    return m_ahead.isCertain() || goesOn || (!m_ahead.wantsGuess() && (isLong || m_calls.size() > kMaxHeld));
}

std::optional<FrameGuess> HeldCalls::guess(bool hasEnded)
{
    if (!m_ahead.wantsGuess() || m_calls.empty())
        return std::nullopt;
    std::vector<FrameGuess> guesses = guessFrames(m_calls, hasEnded);
    std::erase_if(guesses, [&](const FrameGuess &guess) {
        return guess.covers < (!hasEnded ? kMinCovered : guess.waits ? 0 : kMinCoveredAtEnd);
    });
    if (guesses.empty())
        return std::nullopt;
    m_guesses = std::move(guesses);
    const unsigned rank = m_ahead.wish().rank;
    if (rank >= m_guesses.size())
        return std::nullopt;
    const FrameGuess &best = m_guesses[rank];
    m_watch.start(best, m_calls.back().endNs);
    if (m_ahead.source() != FrameFinder::Source::Guess || !m_ahead.guess()->isSameLoop(best))
        m_ahead.setGuess(best);
    return best;
}

std::optional<FrameGuess> HeldCalls::guessSometimes(std::int64_t completeNs)
{
    if (completeNs - m_guessedNs < kGuessEveryNs * std::min(m_misses + 1, kLongestPause) && m_calls.size() <= kMaxHeld)
        return std::nullopt;
    m_guessedNs = completeNs;
    std::optional<FrameGuess> found = guess(false);
    m_misses = found ? 0 : m_misses + 1;
    return found;
}

std::vector<AttachEvent> HeldCalls::takeOld(std::int64_t completeNs)
{
    const bool isFull = m_calls.size() > kMaxHeld;
    if (m_calls.empty() || !m_ahead.wantsGuess()
        || (!isFull && completeNs - m_calls.front().endNs < kLongestHoldNs + kReleasedAtOnceNs))
        return {};
    const auto least = m_calls.begin() + (isFull ? static_cast<std::ptrdiff_t>(kMaxHeld / 2) : 0);
    const auto kept = std::find_if(least, m_calls.end(),
                                   [&](const AttachEvent &call) { return call.endNs >= completeNs - kLongestHoldNs; });
    std::vector<AttachEvent> old(std::move_iterator(m_calls.begin()), std::move_iterator(kept));
    m_calls.erase(m_calls.begin(), kept);
    m_isFirst = false;
    return old;
}

std::int64_t HeldCalls::earliestNs(std::int64_t ns) const
{
    for (const AttachEvent &call : m_calls)
        ns = std::min(ns, call.startNs);
    return ns;
}

std::vector<AttachEvent> HeldCalls::takeAll()
{
    m_isOn = m_isFirst = false;
    return std::exchange(m_calls, {});
}

} // namespace jetscope
