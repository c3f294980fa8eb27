// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/attachrecorder.h"

#include "core/attach/format/calltable.h"
#include "core/text/numbertext.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxHeldBytes = 32 << 20; ///< Of the kernel's trace.
constexpr std::size_t kFiguresAtOnce = 256;     ///< Whose paths are followed; a follower takes no more than twice that.
constexpr std::size_t kMaxWaitingWork = 200'000; ///< Of the GPU, while calls are held back.
constexpr std::size_t kMaxSeenSites = 1 << 14;
/// Paths are followed some hundred frames at a time.
constexpr std::size_t kCallsAPart = 512;

} // namespace

AttachRecorder::AttachRecorder(FrameWish wish)
    : m_frames(std::move(wish)),
      m_held(m_frames),
      m_site(m_modules, m_frames.wish().name),
      m_gpu(
          m_judges.model(), [this](std::int64_t ns) { return m_starts.at(ns); },
          [this](std::string name, std::string detail, std::optional<std::uint32_t> gpu) {
              const auto lane = addLane(LaneRole::DeviceStream, std::move(name), std::move(detail));
              if (lane)
                  m_lanes[*lane].gpu = gpu;
              return lane;
          }),
      m_scheduler([this](std::int64_t ns) { return m_starts.at(ns); },
                  [this](std::string name, std::string detail) {
                      return addLane(LaneRole::Tool, std::move(name), std::move(detail));
                  })
{
    if (m_frames.wish().kind != FrameWish::Kind::Site)
        return;
    m_frames.isAtSite = [this](std::int32_t process, std::uint64_t address) {
        return m_site.has(process, address, m_allCalls ? m_allCalls->endNs : 0);
    };
    m_held = HeldCalls(m_frames);
}

void AttachRecorder::read(RingReader &reader, bool last)
{
    std::vector<AttachEvent> events;
    const std::int64_t completeNs = reader.drain(events);
    if (last)
        reader.finish(events);
    for (const AttachMaps &maps : reader.takeMaps())
        m_modules.add(maps.pid, maps.text);
    m_gpu.read(reader);
    setUnseen({reader.missing(), reader.unhooked()});
    m_judges.setWatchedResults(reader.watchedResults());
    addSwitched(std::move(events), reader.threads(), completeNs);
    m_gpu.endProcesses(reader);
    if (last)
        finish();
}

void AttachRecorder::setRecording(bool on, std::int64_t ns)
{
    m_switches.push_back({on, ns});
    m_scheduler.setRecording(on, ns);
}

void AttachRecorder::addSwitched(std::vector<AttachEvent> events, const std::vector<AttachThread> &threads,
                                 std::int64_t completeNs)
{
    const auto take = [&](std::vector<AttachEvent> part) {
        if (m_recording)
            add(std::move(part), threads, completeNs);
        else
            learn(part, threads, completeNs);
    };
    for (const Switch &change : std::exchange(m_switches, {})) {
        const auto behind = std::find_if(events.begin(), events.end(),
                                         [&](const AttachEvent &event) { return event.endNs >= change.ns; });
        take({std::move_iterator(events.begin()), std::move_iterator(behind)});
        events.erase(events.begin(), behind);
        if (!change.on && m_recording && !m_lanes.empty())
            m_pausedNs = change.ns;
        else if (change.on && m_pausedNs)
            markPause(*std::exchange(m_pausedNs, std::nullopt), change.ns);
        m_recording = change.on;
        interrupt();
    }
    take(std::move(events));
}

void AttachRecorder::markPause(std::int64_t startNs, std::int64_t endNs)
{
    TraceMark mark;
    mark.kind = TraceMark::Kind::Gap;
    mark.timeNs = startNs;
    mark.text =
        "nothing was recorded for " + fixedText(static_cast<double>(endNs - startNs) / 1e9, 3) + " s, as was asked for";
    m_update.marks.push_back(std::move(mark));
}

void AttachRecorder::learn(const std::vector<AttachEvent> &events, const std::vector<AttachThread> &threads,
                           std::int64_t completeNs)
{
    m_threads.insert(m_threads.end(), threads.begin() + static_cast<std::ptrdiff_t>(m_threads.size()), threads.end());
    for (const AttachEvent &event : events) {
        const AttachThread &thread = m_threads[event.thread];
        if (m_judges.learn(event, thread.pid, thread.tid) && attachCall(event.call)->work == JSA_WORK_STREAMEND)
            m_gpu.take(event, thread.pid, thread.tid);
    }
    if (!events.empty())
        seeNewSites(events.back().endNs);
    if (!m_held.hasCalls())
        settle(completeNs);
}

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
    m_starts.interrupt();
    m_loops.begin(guess, m_starts.current(), m_held.guesses());
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
        for (auto event = held.begin(); event != held.end() && !m_starts.isInProgress(); ++event) {
            if (const auto frame = first.take(*event, m_threads[event->thread].pid))
                m_starts.begin(frame->period.startNs);
            else if (first.startNs())
                m_starts.begin(*first.startNs());
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

void AttachRecorder::place(std::vector<AttachEvent> events)
{
    std::vector<Span> spans;
    spans.reserve(events.size());
    for (AttachEvent &event : events) {
        if (isCopy(*attachCall(event.call)))
            event.argument.back() = m_judges.model().directionSeen(event, m_threads[event.thread].pid);
        place(event, spans);
        const bool wasGuess = m_frames.source() == FrameFinder::Source::Guess;
        const auto frame = m_frames.take(event, m_threads[event.thread].pid);
        if (wasGuess && m_frames.source() != FrameFinder::Source::Guess)
            m_loops.begin({}, m_starts.current());
        if (frame)
            addFrame(*frame);
        else if (!m_starts.isInProgress() && m_frames.startNs())
            m_starts.begin(*m_frames.startNs());
    }
    if (!events.empty()) {
        seeNewSites(events.back().endNs);
        m_pathPart.count(events.size(), events.back().endNs);
    }
    spans.insert(spans.end(), m_frameSpans.begin(), m_frameSpans.end());
    m_frameSpans.clear();
    show(std::move(spans));
}

/// While the process lives, because its mappings go with it.
void AttachRecorder::seeNewSites(std::int64_t ns)
{
    for (const CallSite &site : m_judges.takeNewSites())
        m_modules.see(site.process, site.address, ns);
}

/// A lane cannot become that of the frames once it has spans, so a thread that turns out to make them gets another one
/// from now on; not where frames of one kind move from thread to thread, because there is no end to that.
void AttachRecorder::setFrameThread(std::uint32_t thread)
{
    const FrameFinder::Source from = std::exchange(m_threadFrom, m_frames.source());
    if (m_frameThread == thread)
        return;
    const bool isFound = !m_frameThread || from != m_threadFrom || m_threadFrom == FrameFinder::Source::Guess;
    m_frameThread = thread;
    if (const auto lane = m_laneOf.find(thread);
        isFound && lane != m_laneOf.end() && lane->second && m_lanes[*lane->second].role != LaneRole::Pipeline)
        m_laneOf.erase(lane);
}

void AttachRecorder::placeGpuWork(std::int64_t completeNs, bool all)
{
    std::vector<Span> spans;
    m_gpu.place(completeNs, all, spans);
    showGpuWork(std::move(spans));
}

void AttachRecorder::showGpuWork(std::vector<Span> spans)
{
    m_depths.place(spans);
    for (const Span &span : spans)
        m_metrics.add(span);
    show(std::move(spans));
    m_paths.add(m_gpu.takeEdges());
}

/// Its spans are drawn and never counted: the figures of frames have the calls for that.
void AttachRecorder::addScheduler(std::string_view bytes, bool last)
{
    if (m_held.isFirst() && m_recording && !last && m_heldLines.size() < kMaxHeldBytes) { // Frames are not known yet.
        m_heldLines += bytes;
        return;
    }
    m_scheduler.setThreads(m_threads);
    m_scheduler.take(std::exchange(m_heldLines, {}), m_update.spans);
    m_scheduler.take(bytes, m_update.spans);
    if (last)
        m_scheduler.finish(m_update.spans);
}

void AttachRecorder::show(std::vector<Span> spans)
{
    if (m_lanesSet != m_lanes.size()) {
        m_lanesSet = m_lanes.size();
        m_paths.setLanes(m_lanes);
    }
    m_paths.add(spans);
    m_update.spans.insert(m_update.spans.end(), spans.begin(), spans.end());
}

void AttachRecorder::place(const AttachEvent &event, std::vector<Span> &spans)
{
    ++m_calls[event.call];
    const std::uint32_t frame = m_starts.at(event.startNs);
    const AttachThread &thread = m_threads[event.thread];
    m_judges.take(event, thread.pid, thread.tid, frame);
    if (event.call == JSA_CALL_DRAWN || event.call == JSA_CALL_READ)
        return; // Draws are too many to show, and a read is no call.
    if (event.call == JSA_CALL_MARK && event.argument[0] >= JSA_MARK_RANGE_PUSH)
        return; // Their names are those of the program and without limit.
    const std::optional<LaneId> lane = laneOf(event.thread);
    m_gpu.take(event, thread.pid, thread.tid, lane);
    if (!lane) {
        ++m_leftOut;
        return;
    }
    Span span;
    span.startNs = event.startNs;
    span.durationNs = event.endNs - event.startNs;
    span.frame = frame;
    span.name = nameOf(event.call);
    span.lane = *lane;
    span.depth = m_frameThread == event.thread ? 1 : 0; // Inside of the frame's own span.
    m_metrics.add(span);
    spans.push_back(span);
}

void AttachRecorder::addFrame(const AttachFrame &frame)
{
    const std::uint32_t number = m_starts.end(frame.period);
    setFrameThread(m_frames.thread());
    m_loops.addFrame(frame.period);
    m_metrics.frameStarted(number, frame.period.startNs);
    m_metrics.finish(frame.period.endNs);
    m_metrics.outputComplete(number, frame.completeNs, 0);
    if (const std::optional<LaneId> lane = laneOf(*m_frameThread)) {
        // What the thread does between its calls is not seen; it counts as work, and only calls that wait do not.
        static const NameId s_own = internName("the program's own code", Category::CpuStage, Purpose::OwnCode);
        Span span;
        span.startNs = frame.period.startNs;
        span.durationNs = frame.period.endNs - frame.period.startNs;
        span.frame = number;
        span.name = s_own;
        span.lane = *lane;
        m_metrics.add(span);
        m_frameSpans.push_back(span);
    }
    m_gpu.endFrame(frame.period.endNs);
}

void AttachRecorder::interrupt()
{
    if (m_held.hasCalls()) // Without calls it is still open which thread makes the frames.
        endHold();
    m_starts.interrupt();
    m_frames.interrupt();
    m_judges.interrupt();
    m_gpu.interrupt();
}

std::optional<LaneId> AttachRecorder::laneOf(std::uint32_t thread)
{
    const auto [known, isNew] = m_laneOf.try_emplace(thread);
    if (!isNew)
        return known->second;
    const AttachThread &info = m_threads[thread];
    return known->second =
               addLane(m_frameThread == thread ? LaneRole::Pipeline : LaneRole::CpuStage,
                       info.name.empty() ? "thread " + std::to_string(info.tid) : info.name,
                       info.process + " " + std::to_string(info.pid) + " · thread " + std::to_string(info.tid));
}

std::optional<LaneId> AttachRecorder::addLane(LaneRole role, std::string name, std::string detail)
{
    if (m_lanes.size() >= kMaxLanes)
        return std::nullopt;
    const auto id = static_cast<LaneId>(m_lanes.size());
    m_lanes.push_back({id, role, std::move(name), std::move(detail)});
    m_metrics.setLane(id, role);
    return id;
}

NameId AttachRecorder::nameOf(std::uint16_t call)
{
    if (!m_names[call])
        m_names[call] = internName(attachCall(call)->name, attachCall(call)->category, purposeOf(*attachCall(call)));
    return *m_names[call];
}

void AttachRecorder::takeFigures(bool all)
{
    const std::vector<FrameFigures> figures = m_metrics.take();
    const std::size_t known = m_update.path.size();
    const std::size_t knownGains = m_update.pathGains.size();
    std::vector<FrameFigures> followed = figures;
    if (!m_nothingFollows)
        m_pathPart.choose(followed);
    // The end of a program brings many frames at a time.
    for (std::size_t from = 0; from < followed.size() || from == 0; from += kFiguresAtOnce) {
        const std::size_t frames = std::min(kFiguresAtOnce, followed.size() - from);
        m_paths.add(std::span(followed).subspan(from, frames));
        m_paths.take(m_update.path, m_update.pathGains, all && from + frames == followed.size());
    }
    for (const PathPiece &piece : std::span(m_update.path).subspan(known))
        m_loops.add(piece, m_pathPart.weightOf(piece.frame));
    for (const PathGain &gain : std::span(m_update.pathGains).subspan(knownGains))
        m_loops.add(gain, m_pathPart.weightOf(gain.firstFrame));
    for (const FrameFigures &frame : figures)
        m_loops.add(frame);
    m_update.figures.insert(m_update.figures.end(), figures.begin(), figures.end());
}

TraceUpdate AttachRecorder::take()
{
    TraceUpdate update = std::exchange(m_update, {});
    const std::vector<CounterInfo> &counters = m_judges.resources().counters();
    update.lanes.assign(m_lanes.begin() + static_cast<std::ptrdiff_t>(m_lanesTaken), m_lanes.end());
    update.counters.assign(counters.begin() + static_cast<std::ptrdiff_t>(m_countersTaken), counters.end());
    m_lanesTaken = m_lanes.size();
    m_countersTaken = counters.size();
    update.samples = m_judges.resources().takeSamples();
    return update;
}

void AttachRecorder::finish()
{
    m_nothingFollows = true;
    if (m_held.isOn())
        endHold();
    if (const auto frame = m_frames.finish())
        addFrame(*frame);
    placeGpuWork(std::numeric_limits<std::int64_t>::max(), true);
    show(std::exchange(m_frameSpans, {}));
    m_metrics.resolved(std::numeric_limits<std::int64_t>::max());
    takeFigures(true);
}

void AttachRecorder::setPlace(CallSite &site) const
{
    site.place = m_modules.find(site.process, site.address).value_or(CodePlace());
    site.mappings = m_modules.mappings(site.process);
}

std::vector<WasteFinding> AttachRecorder::findings() const
{
    std::vector<WasteFinding> found = m_judges.findings(static_cast<std::uint32_t>(m_loops.allFrames()),
                                                        m_loops.allPeriodsNs(), m_gpu.defaultStreamWaits());
    for (WasteFinding &finding : found)
        for (CallSite &site : finding.sites)
            setPlace(site);
    return found;
}

std::vector<WasteCheck> AttachRecorder::checks() const
{
    return m_judges.checks(static_cast<std::uint32_t>(m_loops.allFrames()));
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
    return {seconds(frames->startNs - m_allCalls->startNs), seconds(m_allCalls->endNs - frames->endNs),
            m_loops.warmUpSeconds()};
}

std::vector<LoopCandidate> AttachRecorder::candidates() const
{
    std::vector<LoopCandidate> all;
    const std::vector<FrameGuess> &ranking = m_loops.guess() ? m_loops.ranking() : m_held.guesses();
    for (const FrameGuess &guess : ranking) {
        const AttachThread &thread = m_threads[guess.thread];
        LoopCandidate candidate{guess, {thread.pid, guess.site, guess.rounds, {}}, thread.name, false};
        setPlace(candidate.site);
        candidate.isTaken = m_loops.frames() > 0 && m_loops.guess() && m_loops.guess()->isSameLoop(guess);
        all.push_back(std::move(candidate));
    }
    return all;
}

PathSummary AttachRecorder::path() const
{
    PathSummary summary =
        m_loops.path().summary([](std::uint32_t name) { return internedName(static_cast<NameId>(name)); },
                               [this](LaneId id) { return id < m_lanes.size() ? &m_lanes[id] : nullptr; });
    // Of a part of the frames, shares of the period of all.
    const double allMs = m_loops.meanPeriodMs();
    if (summary.frames > 0 && summary.frames < m_loops.counted().size() && summary.periodMs > 0) {
        for (PathShare &share : summary.shares)
            share.ms *= allMs / summary.periodMs;
        summary.periodMs = allMs;
    }
    for (PathShare &share : summary.shares)
        if (!isDeviceWork(share.cause) && !share.name.empty())
            share.what = share.name; // A call of the program, or its own code.
    return summary;
}

} // namespace jetscope
