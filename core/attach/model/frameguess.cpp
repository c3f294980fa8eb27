// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/frameguess.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/loopcycles.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

namespace jetscope {

namespace {

/// Guesses whose scores are so near are of the same loop or equally good.
constexpr double kAsGood = 0.95;
constexpr std::size_t kMaxCallsLookedAt = 100'000; ///< While rings fill, a look must not take long.
constexpr std::size_t kMaxGuesses = 16;
constexpr std::size_t kMaxLoopPlaces = 24;  ///< Of a thread.
constexpr std::uint32_t kUnlikeThatEnd = 4; ///< So many rounds in a row.
constexpr double kGoesOnAlike = 0.75;       ///< So many of the newest passes end a round like those of the guess,
constexpr double kGoesOnAlikeInPlaces = 0.5;
constexpr double kNewestPasses = 32; ///< where these count most.
constexpr std::int64_t kStalePeriods = 3;
constexpr std::int64_t kMinStaleNs = 2'000'000;

std::uint64_t mixedHash(std::uint64_t value)
{
    value = (value ^ value >> 31) * UINT64_C(0x7fb5d329728ea185);
    value = (value ^ value >> 27) * UINT64_C(0x81dadef4bc2dd44d);
    return value ^ value >> 33;
}

/// Repeated, it waits for nothing more: how often is chance.
bool isWait(const AttachEvent &event)
{
    switch (attachCall(event.call)->work) {
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_CONTEXTSYNC:
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_FINISH:
    case JSA_WORK_GLWAIT:
        return true;
    default:
        return false;
    }
}

/// How likely such a call ends a frame; 0 for calls that do not.
double weightOf(const AttachEvent &event)
{
    const bool isBack = event.argument[4] == JSA_COPY_TO_HOST;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_CONTEXTSYNC:
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_FINISH:
    case JSA_WORK_GLWAIT:
    case JSA_WORK_READBACK:
    case JSA_WORK_RELEASE:
        return 1;
    case JSA_WORK_COPY:
        return isBack || event.argument[4] == JSA_COPY_UNKNOWN || event.argument[4] == JSA_COPY_IN_ROWS ? 1 : 0.3;
    case JSA_WORK_COPYASYNC:
        return isBack ? 0.3 : 0.2;
    case JSA_WORK_HOSTFUNC: // By which a runtime that never waits hears of a result.
        return 0.4;
    case JSA_WORK_LAUNCH:
        return 0.2;
    default:
        return 0;
    }
}

bool movesData(const AttachEvent &event)
{
    // A host function tells the CPU of a result.
    return isCopy(*attachCall(event.call)) || event.call == JSA_CALL_cuGraphLaunch
        || attachCall(event.call)->work == JSA_WORK_HOSTFUNC;
}

bool makesObjects(const AttachEvent &event)
{
    switch (attachCall(event.call)->work) {
    case JSA_WORK_ALLOC:
    case JSA_WORK_HOSTALLOC:
    case JSA_WORK_MANAGED:
    case JSA_WORK_STREAMMADE:
    case JSA_WORK_NAME:
        return true;
    default:
        return false;
    }
}

std::uint64_t placeOf(std::uint16_t call, std::uint64_t site)
{
    return mixedHash(site + (std::uint64_t{call} << 48));
}

std::uint64_t placeOf(const AttachEvent &event)
{
    return placeOf(event.call, event.site);
}

std::vector<FrameGuess> guessesOf(const LoopCycles &cycles, std::uint32_t thread, const LoopWindow &window)
{
    std::vector<FrameGuess> all;
    const std::vector<std::size_t> places = cycles.candidates(kMaxLoopPlaces);
    for (std::size_t rank = 0; rank < places.size(); ++rank)
        for (FrameGuess &guess : cycles.loopsAt(places[rank], rank, window)) {
            guess.thread = thread;
            all.push_back(guess);
        }
    return all;
}

/// With LoopCycles::gapAfter.
using RankedGuess = std::pair<FrameGuess, double>;

LoopStep stepOf(const AttachEvent &event)
{
    return {placeOf(event), event.site,          event.startNs,    event.endNs,    event.call,
            isWait(event),  makesObjects(event), movesData(event), weightOf(event)};
}

/// Loops whose place is passed by several threads: a pool takes the rounds by turns. Of the thread that does so most
/// often.
std::vector<RankedGuess> guessesOfPool(std::span<const AttachEvent> events, const LoopWindow &window)
{
    constexpr double kOfOthers = 0.2;
    constexpr double kOfPool = 1.25; // Where threads take turns, the loop of each is a part of it.
    LoopCycles cycles;
    std::unordered_map<std::uint64_t, std::map<std::uint32_t, std::size_t>> passes; // Of each thread, by place.
    for (const AttachEvent &event : events)
        if (isOfLoops(event)) {
            cycles.add(stepOf(event));
            ++passes[placeOf(event)][event.thread];
        }
    cycles.sum();
    std::vector<RankedGuess> all;
    for (FrameGuess &guess : guessesOf(cycles, 0, window)) {
        std::size_t ofAll = 0;
        std::size_t ofOne = 0;
        for (const auto &[thread, count] : passes[placeOf(guess.call, guess.site)]) {
            ofAll += count;
            if (count > ofOne) {
                ofOne = count;
                guess.thread = thread;
            }
        }
        if (static_cast<double>(ofAll - ofOne) < kOfOthers * static_cast<double>(ofAll))
            continue;
        guess.isOnAnyThread = true;
        guess.score *= kOfPool;
        all.emplace_back(guess, cycles.gapAfter(guess));
    }
    return all;
}

/// Of guesses that are about equally good, that of the first thread, if possible without bursts, whose call is the last
/// one of a round.
void putBestFirst(std::vector<RankedGuess> &all)
{
    const auto better = [](const auto &a, const auto &b) { return a.first.score > b.first.score; };
    std::stable_sort(all.begin(), all.end(), better);
    for (auto from = all.begin(); from != all.end();) {
        const double least = from->first.score * kAsGood;
        const auto to = std::find_if(from, all.end(), [&](const auto &each) { return each.first.score < least; });
        std::stable_sort(from, to, [](const auto &a, const auto &b) {
            if (a.first.thread != b.first.thread)
                return a.first.thread < b.first.thread;
            return a.first.hasBursts != b.first.hasBursts ? b.first.hasBursts : a.second > b.second;
        });
        from = to;
    }
}

} // namespace

bool isOfLoops(const AttachEvent &event)
{
    switch (attachCall(event.call)->work) {
    case JSA_WORK_FRAME:
    case JSA_WORK_DRAWN:
    case JSA_WORK_READ:
    case JSA_WORK_QUERY: // Whether the program asks is chance, as for allocators that look which memory is free.
    case JSA_WORK_EVENTQUERY:
    case JSA_WORK_GLQUERY:
        return false;
    default:
        return !event.failed();
    }
}

void CycleHash::add(const AttachEvent &event)
{
    if (!isOfLoops(event))
        return;
    const std::uint64_t place = placeOf(event);
    if (std::exchange(m_last, place) == place && isWait(event))
        return;
    m_sum += place;
    const auto at = std::lower_bound(m_places.begin(), m_places.end(), place);
    if (at == m_places.end() || *at != place)
        m_places.insert(at, place);
}

std::uint64_t CycleHash::take()
{
    m_places.clear();
    return std::exchange(m_sum, 0);
}

std::uint64_t CycleHash::takePlaces()
{
    std::uint64_t sum = 0;
    for (const std::uint64_t place : m_places)
        sum += place;
    m_places.clear();
    m_sum = 0;
    return sum;
}

std::vector<FrameGuess> guessFrames(std::span<const AttachEvent> events, bool hasEnded)
{
    if (events.size() > kMaxCallsLookedAt && !hasEnded)
        events = events.last(kMaxCallsLookedAt);
    std::map<std::uint32_t, LoopCycles> threads;
    for (const AttachEvent &event : events)
        if (isOfLoops(event))
            threads[event.thread].add(stepOf(event));
    if (events.empty())
        return {};
    LoopWindow window{events.front().startNs, events.front().endNs, hasEnded, 0};
    for (const AttachEvent &event : events)
        window = {std::min(window.startNs, event.startNs), std::max(window.endNs, event.endNs), hasEnded,
                  window.calls + (isOfLoops(event) ? 1 : 0)};
    std::vector<RankedGuess> all;
    for (auto &[thread, cycles] : threads) {
        cycles.sum();
        for (const FrameGuess &guess : guessesOf(cycles, thread, window))
            all.emplace_back(guess, cycles.gapAfter(guess));
    }
    if (threads.size() > 1)
        for (RankedGuess &guess : guessesOfPool(events, window))
            all.push_back(std::move(guess));
    putBestFirst(all);
    std::vector<FrameGuess> best;
    for (std::size_t i = 0; i < std::min(all.size(), kMaxGuesses); ++i)
        best.push_back(all[i].first);
    return best;
}

void FrameWatch::start(const FrameGuess &guess, std::int64_t nowNs)
{
    *this = FrameWatch();
    m_guess = guess;
    m_likeNs = nowNs;
}

void FrameWatch::take(const AttachEvent &event)
{
    if (!m_guess || !m_guess->isOfThread(event.thread) || !isOfLoops(event))
        return;
    m_cycle.add(event);
    if (event.call != m_guess->call || event.site != m_guess->site) {
        m_isBetween = true;
        return;
    }
    const std::int64_t beforeNs = std::exchange(m_lastPassNs, event.endNs);
    if (event.endNs - std::max(beforeNs, m_likeNs) > longestPauseNs()) // Another loop may have a pass like these.
        m_alike = 0;
    if (!std::exchange(m_isBetween, false) && event.endNs - beforeNs < m_guess->burstNs)
        return;
    m_sums.push_back(m_guess->isOfPlaces ? m_cycle.takePlaces() : m_cycle.take());
    if (m_sums.size() > m_guess->every)
        m_sums.erase(m_sums.begin());
    std::uint64_t sum = 0;
    for (const std::uint64_t each : m_sums)
        sum += each;
    ++m_unlike;
    const bool isLike = sum == m_guess->signature;
    if (m_sums.size() == m_guess->every)
        m_alike += ((isLike ? 1 : 0) - m_alike) / kNewestPasses;
    if (!isLike)
        return;
    m_unlike = 0;
    m_likeNs = std::max(m_likeNs, event.endNs);
}

bool FrameWatch::isStale(std::int64_t nowNs) const
{
    if (!m_guess)
        return false;
    // The loop may be a part of another one, so that its rounds go on between others.
    const double least = m_guess->isOfPlaces ? kGoesOnAlikeInPlaces : kGoesOnAlike;
    return m_alike < least || m_unlike > kUnlikeThatEnd * m_guess->every || nowNs - m_likeNs > longestPauseNs();
}

std::int64_t FrameWatch::longestPauseNs() const
{
    return std::max(static_cast<std::int64_t>(m_guess->periodMs * 1e6) * kStalePeriods, kMinStaleNs);
}

} // namespace jetscope
