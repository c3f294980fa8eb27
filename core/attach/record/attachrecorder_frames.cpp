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

constexpr std::size_t kMaxWaitingWork = 200'000; ///< Of the GPU, while calls are held back.
constexpr std::size_t kMaxSeenSites = 1 << 14;
/// Paths are followed some hundred frames at a time.
constexpr std::size_t kCallsAPart = 512;

} // namespace

void AttachRecorder::add(std::vector<AttachEvent> events, const std::vector<AttachThread> &threads,
                         std::int64_t completeNs)
{
    m_threads.insert(m_threads.end(), threads.begin() + static_cast<std::ptrdiff_t>(m_threads.size()), threads.end());
    for (const AttachEvent &event : events) {
        m_allCalls = m_allCalls
            ? Interval{std::min(m_allCalls->startNs, event.startNs), std::max(m_allCalls->endNs, event.endNs)}
            : Interval{event.startNs, event.endNs};
    }
    m_held.watch(events, m_frames, completeNs);
    if (m_held.isOn())
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
    for (AttachEvent &event : events) {
        const std::int32_t pid = m_threads[event.thread].pid;
        if (event.site != 0 && m_seenSites.size() < kMaxSeenSites && m_seenSites.insert({pid, event.site}).second)
            m_modules.see(pid, event.site, event.endNs); // Its process may have ended when it is asked for.
        m_held.add(std::move(event), pid);
    }
    if (!m_held.hasCalls()) // It is still open which thread makes the frames; the GPU's work goes on.
        return settle(completeNs);
    if (m_held.isKnown(m_frames, completeNs) || beginLoop(m_held.guessSometimes(completeNs))
        || m_gpu.waiting() >= kMaxWaitingWork) {
        placeHeld();
        return settle(completeNs);
    }
    if (std::vector<AttachEvent> old = m_held.takeOld(completeNs); !old.empty()) {
        placeInParts(std::move(old));
        settle(m_held.earliestNs(completeNs));
    }
}

bool AttachRecorder::beginLoop(const std::optional<FrameGuess> &guess)
{
    if (!guess || (m_frames.source() == FrameFinder::Source::Guess && m_frames.guess()->isSameLoop(*guess)))
        return guess.has_value();
    m_frames.setGuess(*guess);
    if (!m_frameStarts.empty()) // What was in progress is no frame.
        ++m_frameNumber;
    m_frameStarts.clear();
    m_loops.begin(guess, m_frameNumber, m_held.guesses());
    setFrameThread(guess->thread);
    return true;
}

/// It is known by now which thread makes the frames, or it is guessed, or there are none yet.
void AttachRecorder::placeHeld()
{
    const bool isFirst = m_held.isFirst();
    std::vector<AttachEvent> held = m_held.takeAll();
    const FrameFinder &ahead = m_held.ahead();
    m_frames.expect(ahead.source());
    if (ahead.source() != FrameFinder::Source::None) {
        if (isFirst) {
            m_frameThread = ahead.thread();
            m_threadFrom = ahead.source();
        }
        FrameFinder first = m_frames;
        for (auto event = held.begin(); event != held.end() && m_frameStarts.empty(); ++event) {
            if (const auto frame = first.take(*event, m_threads[event->thread].pid))
                m_frameStarts.push_back(frame->period.startNs);
            else if (first.startNs())
                m_frameStarts.push_back(*first.startNs());
        }
    }
    placeInParts(std::move(held));
}

/// Calls that were held back, with the GPU's work and the figures of the frames that they end.
void AttachRecorder::placeInParts(std::vector<AttachEvent> events)
{
    std::vector<std::int64_t> earliestNs(events.size() + 1, std::numeric_limits<std::int64_t>::max()); // From there on.
    for (std::size_t i = events.size(); i-- > 0;)
        earliestNs[i] = std::min(earliestNs[i + 1], events[i].startNs);
    for (std::size_t from = 0; from < events.size(); from += kCallsAPart) {
        const std::size_t to = std::min(events.size(), from + kCallsAPart);
        place({std::move_iterator(events.begin() + static_cast<std::ptrdiff_t>(from)),
               std::move_iterator(events.begin() + static_cast<std::ptrdiff_t>(to))});
        if (to == events.size())
            break;
        std::vector<Span> spans;
        m_gpu.placeUntil(earliestNs[to], spans);
        showGpuWork(std::move(spans));
        m_metrics.resolved(m_nothingFollows ? earliestNs[to] : m_gpu.settledNs(earliestNs[to]));
        takeFigures(false);
    }
}

/// Of no loop that begins later: nothing follows, or nothing is recorded for a while.
void AttachRecorder::endHold()
{
    beginLoop(m_held.guess(true));
    placeHeld();
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
    const std::vector<FrameGuess> &ranking = m_loops.guess() ? m_loops.ranking() : m_held.guesses();
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
