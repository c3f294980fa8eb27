// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/attachrecorder.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/buffernames.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxHeldBytes = 32 << 20; ///< Of the kernel's trace.
constexpr std::size_t kFiguresAtOnce = 256;     ///< Whose paths are followed; a follower takes no more than twice that.
/// A call that began more frames ago than this belongs to no frame.
constexpr std::size_t kMaxFrameStarts = 4096;
constexpr const char *kGrowingObjects = "growing-objects";

/// Calls by which memory and objects come, go or get a property that later calls depend on.
constexpr jsa_work kObjectWork[] = {
    JSA_WORK_CONTEXT,     JSA_WORK_CURRENT,     JSA_WORK_PIXELSTORE, JSA_WORK_IMAGE,        JSA_WORK_IMAGEEND,
    JSA_WORK_FENCE,       JSA_WORK_FENCEEND,    JSA_WORK_STREAM,     JSA_WORK_EGLSTREAMEND, JSA_WORK_CONNECT,
    JSA_WORK_DISCONNECT,  JSA_WORK_EGLFRAME,    JSA_WORK_RELEASE,    JSA_WORK_TEXTURES,     JSA_WORK_TEXTURESEND,
    JSA_WORK_ALLOC,       JSA_WORK_HOSTALLOC,   JSA_WORK_MANAGED,    JSA_WORK_FREE,         JSA_WORK_POOLALLOC,
    JSA_WORK_POOLFREE,    JSA_WORK_POOLKEEP,    JSA_WORK_REGISTER,   JSA_WORK_UNREGISTER,   JSA_WORK_ATTACH,
    JSA_WORK_GRAPHICS,    JSA_WORK_GRAPHICSEND, JSA_WORK_MAP,        JSA_WORK_UNMAP,        JSA_WORK_STREAMMADE,
    JSA_WORK_STREAMEND,   JSA_WORK_EVENTMADE,   JSA_WORK_EVENTEND,   JSA_WORK_NAME,         JSA_WORK_NVBUF,
    JSA_WORK_NVBUFEND,    JSA_WORK_NVMAP,       JSA_WORK_NVUNMAP,    JSA_WORK_NVIMAGE,      JSA_WORK_NVIMAGEEND,
    JSA_WORK_ARRAY,       JSA_WORK_ARRAYEND,    JSA_WORK_PHYSICAL,   JSA_WORK_PHYSICALEND,  JSA_WORK_VIRTUALMAP,
    JSA_WORK_VIRTUALUNMAP};

bool changesObjects(const AttachEvent &event)
{
    const jsa_work work = attachCall(event.call)->work;
    return marksBuffer(event)
        || std::find(std::begin(kObjectWork), std::end(kObjectWork), work) != std::end(kObjectWork);
}

} // namespace

AttachRecorder::AttachRecorder(FrameWish wish)
    : m_frames(std::move(wish)),
      m_held(m_frames),
      m_gpu(
          m_model, [this](std::int64_t ns) { return frameAt(ns); },
          [this](std::string name, std::string detail, std::optional<std::uint32_t> gpu) {
              const auto lane = addLane(LaneRole::DeviceStream, std::move(name), std::move(detail));
              if (lane)
                  m_lanes[*lane].gpu = gpu;
              return lane;
          }),
      m_scheduler([this](std::int64_t ns) { return frameAt(ns); },
                  [this](std::string name, std::string detail) {
                      return addLane(LaneRole::Tool, std::move(name), std::move(detail));
                  })
{
    if (m_frames.wish().kind != FrameWish::Kind::Site)
        return;
    m_frames.isAtSite = [this](std::int32_t process, std::uint64_t address) {
        return isAtWantedSite(process, address);
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
    m_ledger.setWatchedResults(reader.watchedResults());
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
        m_recording = change.on;
        interrupt();
    }
    take(std::move(events));
}

void AttachRecorder::learn(const std::vector<AttachEvent> &events, const std::vector<AttachThread> &threads,
                           std::int64_t completeNs)
{
    m_threads.insert(m_threads.end(), threads.begin() + static_cast<std::ptrdiff_t>(m_threads.size()), threads.end());
    for (const AttachEvent &event : events) {
        if (event.failed() || !changesObjects(event))
            continue;
        const AttachThread &thread = m_threads[event.thread];
        judge(event, thread, kNoFrame);
        if (attachCall(event.call)->work == JSA_WORK_STREAMEND)
            m_gpu.take(event, thread.pid, thread.tid);
    }
    if (!events.empty())
        seeNewSites(events.back().endNs);
    if (m_held.hasCalls())
        return;
    placeGpuWork(completeNs, false);
    m_metrics.resolved(m_gpu.settledNs(completeNs));
    takeFigures(false);
}

void AttachRecorder::setUnseen(const UnseenCalls &unseen)
{
    m_unseen = unseen;
    m_waste.setUnseen(unseen);
    m_ledger.setUnseen(unseen);
}

void AttachRecorder::place(std::vector<AttachEvent> events)
{
    std::vector<Span> spans;
    spans.reserve(events.size());
    for (AttachEvent &event : events) {
        if (isCopy(*attachCall(event.call)))
            event.argument.back() = m_model.directionSeen(event, m_threads[event.thread].pid);
        place(event, spans);
        const bool wasGuess = m_frames.source() == FrameFinder::Source::Guess;
        const auto frame = m_frames.take(event, m_threads[event.thread].pid);
        if (wasGuess && m_frames.source() != FrameFinder::Source::Guess)
            m_loops.begin({}, m_frameNumber);
        if (frame)
            addFrame(*frame);
        else if (m_frameStarts.empty() && m_frames.startNs())
            m_frameStarts.push_back(*m_frames.startNs());
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
    std::vector<CallSite> sites = m_waste.takeNewSites();
    for (std::vector<CallSite> more : {m_ledger.takeNewSites(), m_glOrder.takeNewSites(), m_nvBufs.takeNewSites()})
        sites.insert(sites.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
    for (const CallSite &site : sites)
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

void AttachRecorder::judge(const AttachEvent &event, const AttachThread &thread, std::uint32_t frame)
{
    if (!m_model.take(event, thread.pid, thread.tid))
        return;
    m_waste.take(event, thread.pid, thread.tid, frame);
    m_ledger.take(event, thread.pid, thread.tid, frame);
    m_glOrder.take(event, thread.pid, thread.tid, frame);
    m_nvBufs.take(event, thread.pid, frame);
    m_resources.take(event, thread.pid, frame);
}

void AttachRecorder::place(const AttachEvent &event, std::vector<Span> &spans)
{
    ++m_calls[event.call];
    const std::uint32_t frame = frameAt(event.startNs);
    const AttachThread &thread = m_threads[event.thread];
    judge(event, thread, frame);
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
    if (m_frameStarts.empty())
        m_frameStarts.push_back(frame.period.startNs);
    m_frameStarts.push_back(frame.period.endNs);
    setFrameThread(m_frames.thread());
    if (m_frameStarts.size() > kMaxFrameStarts)
        m_frameStarts.pop_front();
    m_loops.addFrame(frame.period);
    m_metrics.frameStarted(m_frameNumber, frame.period.startNs);
    m_metrics.finish(frame.period.endNs);
    m_metrics.outputComplete(m_frameNumber, frame.completeNs, 0);
    if (const std::optional<LaneId> lane = laneOf(*m_frameThread)) {
        // What the thread does between its calls is not seen; it counts as work, and only calls that wait do not.
        static const NameId s_own = internName("the program's own code", Category::CpuStage, Purpose::OwnCode);
        Span span;
        span.startNs = frame.period.startNs;
        span.durationNs = frame.period.endNs - frame.period.startNs;
        span.frame = m_frameNumber;
        span.name = s_own;
        span.lane = *lane;
        m_metrics.add(span);
        m_frameSpans.push_back(span);
    }
    m_gpu.endFrame(frame.period.endNs);
    ++m_frameNumber;
}

void AttachRecorder::interrupt()
{
    if (m_held.hasCalls()) // Without calls it is still open which thread makes the frames.
        endHold();
    if (!m_frameStarts.empty())
        ++m_frameNumber;
    m_frameStarts.clear();
    m_frames.interrupt();
    m_model.interrupt();
    m_ledger.interrupt();
    m_glOrder.interrupt();
    m_nvBufs.interrupt();
    m_waste.interrupt();
    m_gpu.interrupt();
}

std::uint32_t AttachRecorder::frameAt(std::int64_t ns) const
{
    if (!m_frameStarts.empty() && m_frameStarts.back() <= ns) // As of nearly all that is asked for.
        return m_frameNumber;
    const auto after = std::upper_bound(m_frameStarts.begin(), m_frameStarts.end(), ns);
    if (after == m_frameStarts.begin())
        return kNoFrame;
    return m_frameNumber - static_cast<std::uint32_t>(m_frameStarts.end() - after);
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
        m_loops.add(piece);
    for (const PathGain &gain : std::span(m_update.pathGains).subspan(knownGains))
        m_loops.add(gain);
    for (const FrameFigures &frame : figures)
        m_loops.add(frame);
    m_update.figures.insert(m_update.figures.end(), figures.begin(), figures.end());
}

TraceUpdate AttachRecorder::take()
{
    TraceUpdate update = std::exchange(m_update, {});
    const std::vector<CounterInfo> &counters = m_resources.counters();
    update.lanes.assign(m_lanes.begin() + static_cast<std::ptrdiff_t>(m_lanesTaken), m_lanes.end());
    update.counters.assign(counters.begin() + static_cast<std::ptrdiff_t>(m_countersTaken), counters.end());
    m_lanesTaken = m_lanes.size();
    m_countersTaken = counters.size();
    update.samples = m_resources.takeSamples();
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

std::vector<WasteFinding> AttachRecorder::findings() const
{
    const auto frames = static_cast<std::uint32_t>(m_loops.allFrames());
    std::vector<WasteFinding> found = m_ledger.findings(frames);
    for (WasteFinding &finding : m_glOrder.findings(frames, m_unseen))
        found.push_back(std::move(finding));
    for (WasteFinding &finding : m_nvBufs.findings(frames, m_unseen))
        found.push_back(std::move(finding));
    for (WasteFinding &waste : m_waste.findings(frames, m_loops.allPeriodsNs(), m_gpu.defaultStreamWaits()))
        found.push_back(std::move(waste));
    for (const GrowingObjects &growing : m_resources.growing(frames)) {
        WasteFinding finding;
        finding.what = kGrowingObjects;
        finding.grade = m_unseen.any() ? FindingGrade::Unknown : FindingGrade::Seen;
        finding.calls = growing.more;
        finding.frames = std::min<std::uint64_t>(growing.more, frames);
        finding.text = std::to_string(growing.more) + " more of " + std::string(growing.what)
            + " than after the first frames (" + std::string(attachCall(growing.call)->name)
            + "), which were made and not given back: destroy each when it is not needed any more";
        found.push_back(std::move(finding));
    }
    for (WasteFinding &finding : found)
        for (CallSite &site : finding.sites) {
            site.place = m_modules.find(site.process, site.address).value_or(CodePlace());
            site.mappings = m_modules.mappings(site.process);
        }
    return found;
}

std::vector<WasteCheck> AttachRecorder::checks() const
{
    std::vector<WasteCheck> all = m_waste.checks(static_cast<std::uint32_t>(m_loops.allFrames()));
    // Objects need frames and calls, too, and nothing else.
    const auto alike = std::find_if(all.begin(), all.end(),
                                    [](const WasteCheck &check) { return check.what == "allocation-per-frame"; });
    all.push_back({kGrowingObjects, alike->reason});
    for (const std::vector<WasteCheck> &more :
         {m_ledger.checks(), m_glOrder.checks(m_unseen), m_nvBufs.checks(m_unseen)})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

PathSummary AttachRecorder::path() const
{
    PathSummary summary =
        m_loops.path().summary([](std::uint32_t name) { return internedName(static_cast<NameId>(name)); },
                               [this](LaneId id) { return id < m_lanes.size() ? &m_lanes[id] : nullptr; });
    // Of a part of the frames, shares of the period of all.
    const double allMs = m_loops.frames() == 0
        ? 0
        : static_cast<double>(m_loops.periodsNs()) / static_cast<double>(m_loops.frames()) / 1e6;
    if (summary.frames > 0 && summary.frames < m_loops.figures().size() && summary.periodMs > 0) {
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
