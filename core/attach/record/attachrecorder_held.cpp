// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/siteplace.h"
#include "core/attach/record/attachrecorder.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

/// Calls are held back until frames are found, so that the first ones count and the lane of the thread that makes them
/// is known as such; but not longer, because there are programs without frames.
constexpr std::int64_t kLongestHoldNs = 3'000'000'000;
constexpr std::int64_t kReleasedAtOnceNs = 250'000'000;
constexpr std::int64_t kGuessEveryNs = 1'000'000'000;
constexpr std::int64_t kLongestPause = 2; ///< Of looks that find nothing; in the time above.
constexpr std::size_t kMostHeld = 200'000;
/// A loop must cover so much of the calls that are held back, but not at the end of a program if it waits for the GPU:
/// short programs set up for longer.
constexpr double kLeastCovered = 0.2;
constexpr std::size_t kMostSeenSites = 1 << 14;

} // namespace

void AttachRecorder::add(std::vector<AttachEvent> events, const std::vector<AttachThread> &threads,
                         std::int64_t completeNs)
{
    m_threads.insert(m_threads.end(), threads.begin() + static_cast<std::ptrdiff_t>(m_threads.size()), threads.end());
    for (const AttachEvent &event : events) {
        m_allCalls = m_allCalls
            ? Interval{std::min(m_allCalls->startNs, event.startNs), std::max(m_allCalls->endNs, event.endNs)}
            : Interval{event.startNs, event.endNs};
        m_watch.take(event);
    }
    const bool isDoubtful = m_frames.source() != FrameFinder::Source::Guess || m_watch.isStale(completeNs);
    if (!m_holding && m_frames.wantsGuess() && isDoubtful) {
        m_holding = true;
        m_ahead = m_frames;
        m_guessedNs = completeNs;
    }
    if (m_holding)
        return hold(std::move(events), completeNs);
    place(std::move(events));
    settle(completeNs);
}

void AttachRecorder::settle(std::int64_t completeNs)
{
    placeGpuWork(completeNs, false);
    m_metrics.resolved(m_gpu.settledNs(completeNs));
    takeFigures(false);
}

void AttachRecorder::hold(std::vector<AttachEvent> events, std::int64_t completeNs)
{
    for (const AttachEvent &event : events) {
        const std::int32_t pid = m_threads[event.thread].pid;
        m_ahead.take(event, pid);
        if (event.site != 0 && m_seenSites.size() < kMostSeenSites && m_seenSites.insert({pid, event.site}).second)
            m_modules.see(pid, event.site, event.endNs); // Its process may have ended when it is asked for.
    }
    if (m_guessedNs == 0 && !events.empty())
        m_guessedNs = events.front().startNs;
    m_held.insert(m_held.end(), std::move_iterator(events.begin()), std::move_iterator(events.end()));
    if (m_held.empty()) // Without calls it is still open which thread makes the frames; the GPU's work goes on.
        return settle(completeNs);
    const bool isLong = !m_held.empty() && completeNs - m_held.front().startNs > kGuessEveryNs;
    const bool goesOn = m_frames.source() == FrameFinder::Source::Guess && !m_watch.isStale(completeNs);
    bool isKnown = m_ahead.isCertain() || goesOn || (!m_ahead.wantsGuess() && (isLong || m_held.size() > kMostHeld));
    if (!isKnown
        && (completeNs - m_guessedNs >= kGuessEveryNs * std::min(m_misses + 1, kLongestPause)
            || m_held.size() > kMostHeld)) {
        m_guessedNs = completeNs;
        isKnown = guessHeld(false);
        m_misses = isKnown ? 0 : m_misses + 1;
    }
    if (!isKnown && m_gpu.waiting() < kMostHeld)
        return releaseOld(completeNs);
    placeHeld();
    settle(completeNs);
}

/// Calls that have waited for long enough are of no frame, or of one of before.
void AttachRecorder::releaseOld(std::int64_t completeNs)
{
    const bool isFull = m_held.size() > kMostHeld;
    if (m_held.empty() || !m_ahead.wantsGuess()
        || (!isFull && completeNs - m_held.front().endNs < kLongestHoldNs + kReleasedAtOnceNs))
        return;
    const auto least = m_held.begin() + (isFull ? static_cast<std::ptrdiff_t>(kMostHeld / 2) : 0);
    const auto kept = std::find_if(
        least, m_held.end(), [&](const AttachEvent &event) { return event.endNs >= completeNs - kLongestHoldNs; });
    std::vector<AttachEvent> old(std::move_iterator(m_held.begin()), std::move_iterator(kept));
    m_held.erase(m_held.begin(), kept);
    m_isFirstHold = false;
    place(std::move(old));
    for (const AttachEvent &event : m_held)
        completeNs = std::min(completeNs, event.startNs);
    settle(completeNs);
}

bool AttachRecorder::guessHeld(bool hasEnded)
{
    if (!m_ahead.wantsGuess() || m_held.empty())
        return false;
    std::vector<FrameGuess> guesses = guessFrames(m_held, hasEnded);
    std::erase_if(
        guesses, [&](const FrameGuess &guess) { return guess.covers < (hasEnded && guess.waits ? 0 : kLeastCovered); });
    const unsigned rank = m_ahead.wish().rank;
    if (guesses.empty())
        return false;
    m_guesses = std::move(guesses);
    if (rank >= m_guesses.size())
        return false;
    beginLoop(m_guesses[rank]);
    return true;
}

void AttachRecorder::beginLoop(const FrameGuess &guess)
{
    m_watch.start(guess, m_held.back().endNs);
    if (m_frames.source() == FrameFinder::Source::Guess && m_frames.guess()->isSameLoop(guess))
        return;
    m_ahead.setGuess(guess);
    m_frames.setGuess(guess);
    if (!m_frameStarts.empty()) // What was in progress is no frame.
        ++m_frameNumber;
    m_frameStarts.clear();
    m_loops.begin(guess, m_frameNumber, m_guesses);
    setFrameThread(guess.thread);
}

/// It is known by now which thread makes the frames, or it is guessed, or there are none yet.
void AttachRecorder::placeHeld()
{
    const bool isFirst = std::exchange(m_isFirstHold, false);
    m_holding = false;
    std::vector<AttachEvent> held = std::exchange(m_held, {});
    m_frames.expect(m_ahead.source());
    if (m_ahead.source() != FrameFinder::Source::None) {
        if (isFirst) {
            m_frameThread = m_ahead.thread();
            m_threadFrom = m_ahead.source();
        }
        FrameFinder first = m_frames;
        for (auto event = held.begin(); event != held.end() && m_frameStarts.empty(); ++event) {
            if (const auto frame = first.take(*event, m_threads[event->thread].pid))
                m_frameStarts.push_back(frame->period.startNs);
            else if (first.startNs())
                m_frameStarts.push_back(*first.startNs());
        }
    }
    place(std::move(held));
}

/// Of the loop that the figures are of, which need not be the newest one.
FrameFinder AttachRecorder::mainFinder() const
{
    FrameFinder finder = m_frames;
    if (m_loops.frames() > 0 && m_loops.guess())
        finder.setGuess(*m_loops.guess());
    return finder;
}

FrameMargins AttachRecorder::margins() const
{
    const std::optional<Interval> frames = m_loops.time();
    if (!frames || !m_allCalls)
        return {};
    const auto seconds = [](std::int64_t ns) { return static_cast<double>(std::max<std::int64_t>(ns, 0)) / 1e9; };
    return {seconds(frames->startNs - m_allCalls->startNs), seconds(m_allCalls->endNs - frames->endNs)};
}

std::vector<LoopCandidate> AttachRecorder::candidates() const
{
    std::vector<LoopCandidate> all;
    const std::vector<FrameGuess> &ranking = m_loops.guess() ? m_loops.ranking() : m_guesses;
    for (const FrameGuess &guess : ranking) {
        const AttachThread &thread = m_threads[guess.thread];
        LoopCandidate candidate{guess, {thread.pid, guess.site, guess.rounds, {}}, thread.name, false};
        candidate.site.place = m_modules.find(thread.pid, guess.site).value_or(CodePlace());
        candidate.site.mappings = m_modules.mappings(thread.pid);
        candidate.isTaken = m_loops.frames() > 0 && m_loops.guess() && m_loops.guess()->isSameLoop(guess);
        all.push_back(std::move(candidate));
    }
    return all;
}

bool AttachRecorder::isAtWantedSite(std::int32_t process, std::uint64_t address)
{
    const std::pair key{process, address};
    if (const auto known = m_wantedSites.find(key); known != m_wantedSites.end())
        return known->second;
    m_modules.see(process, address, m_allCalls ? m_allCalls->endNs : 0);
    const std::optional<CodePlace> place = m_modules.find(process, address);
    if (!place)
        return false;
    const std::string name = m_placeNames ? m_placeNames(*place) : std::string();
    return m_wantedSites[key] = isAtPlace(*place, name, m_frames.wish().name);
}

} // namespace jetscope
