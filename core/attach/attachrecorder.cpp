// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/attachrecorder.h"

#include "core/attach/calltable.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

/// Calls are held back until frames are found, so that the lane of the thread that makes them is known as such; but not
/// longer, because there are programs without frames.
constexpr std::int64_t kLongestHoldNs = 1'000'000'000;
constexpr std::size_t kMostHeld = 200'000;
/// A call that began more frames ago than this belongs to no frame.
constexpr std::size_t kMostFrameStarts = 4096;

} // namespace

AttachRecorder::AttachRecorder(FrameWish wish, TraceFileWriter *writer) : m_frames(wish), m_writer(writer) {}

void AttachRecorder::add(std::vector<AttachEvent> events, const std::vector<AttachThread> &threads,
                         std::int64_t completeNs)
{
    m_threads.insert(m_threads.end(), threads.begin() + static_cast<std::ptrdiff_t>(m_threads.size()), threads.end());
    for (const AttachEvent &event : events)
        if (const auto frame = m_frames.take(event))
            addFrame(*frame);
    if (m_held.empty())
        m_held = std::move(events);
    else
        m_held.insert(m_held.end(), std::move_iterator(events.begin()), std::move_iterator(events.end()));
    const bool longEnough = !m_held.empty() && completeNs - m_held.front().startNs > kLongestHoldNs;
    m_holding = m_holding && m_frames.source() == FrameFinder::Source::None && !longEnough && m_held.size() < kMostHeld;
    if (m_holding)
        return;
    guess();
    placeHeld();
    m_metrics.resolved(completeNs);
    takeFigures(false);
}

/// Once, when the calls that were held back show no frames.
void AttachRecorder::guess()
{
    const bool wanted = m_frames.wish().kind == FrameWish::Kind::Auto && !std::exchange(m_guessed, true)
        && m_frames.source() == FrameFinder::Source::None;
    const auto guess = wanted ? guessFrames(m_held) : std::nullopt;
    if (!guess)
        return;
    m_frames = FrameFinder(*guess);
    for (const AttachEvent &event : m_held)
        if (const auto frame = m_frames.take(event))
            addFrame(*frame);
}

void AttachRecorder::placeHeld()
{
    std::vector<Span> spans;
    spans.reserve(m_held.size());
    for (const AttachEvent &event : std::exchange(m_held, {}))
        place(event, spans);
    setLanes();
    for (const Span &span : spans)
        m_metrics.add(span);
    m_paths.add(spans);
    if (m_writer)
        m_writer->add(std::move(spans));
}

void AttachRecorder::place(const AttachEvent &event, std::vector<Span> &spans)
{
    ++m_calls[event.call];
    const std::uint32_t frame = frameAt(event.startNs);
    m_waste.take(event, m_threads[event.thread].pid, frame);
    const bool makesFrames = m_frames.source() != FrameFinder::Source::None && m_frames.thread() == event.thread;
    if (makesFrames)
        addToPath(event, frame);
    const std::optional<LaneId> lane = laneOf(event.thread);
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
    spans.push_back(span);
}

/// Calls count once their frame is complete.
void AttachRecorder::addToPath(const AttachEvent &event, std::uint32_t frame)
{
    if (frame != m_pathFrame) {
        for (const auto &[call, ns] : m_pathCalls)
            m_frameThreadNs[call] += ns;
        m_pathCalls.clear();
        m_pathFrame = frame;
    }
    if (frame != kNoFrame)
        m_pathCalls[event.call] += event.endNs - event.startNs;
}

void AttachRecorder::addFrame(const AttachFrame &frame)
{
    if (m_frameStarts.empty())
        m_frameStarts.push_back(frame.period.startNs);
    m_frameStarts.push_back(frame.period.endNs);
    if (m_frameStarts.size() > kMostFrameStarts)
        m_frameStarts.pop_front();
    m_periodsNs += frame.period.endNs - frame.period.startNs;
    m_metrics.frameStarted(m_frameCount, frame.period.startNs);
    m_metrics.finish(frame.period.endNs);
    m_metrics.outputComplete(m_frameCount, frame.completeNs, 0);
    ++m_frameCount;
}

/// The frame in progress has the number of frames that are complete.
std::uint32_t AttachRecorder::frameAt(std::int64_t ns) const
{
    const auto after = std::upper_bound(m_frameStarts.begin(), m_frameStarts.end(), ns);
    if (after == m_frameStarts.begin())
        return kNoFrame;
    return m_frameCount - static_cast<std::uint32_t>(m_frameStarts.end() - after);
}

std::optional<LaneId> AttachRecorder::laneOf(std::uint32_t thread)
{
    const auto [known, isNew] = m_laneOf.try_emplace(thread);
    if (!isNew || m_lanes.size() >= kMostLanes)
        return known->second;
    const AttachThread &info = m_threads[thread];
    const bool makesFrames = m_frames.source() != FrameFinder::Source::None && m_frames.thread() == thread;
    const auto id = static_cast<LaneId>(m_lanes.size());
    m_lanes.push_back({id, makesFrames ? LaneRole::Pipeline : LaneRole::CpuStage,
                       info.name.empty() ? "thread " + std::to_string(info.tid) : info.name,
                       info.process + " " + std::to_string(info.pid) + " · thread " + std::to_string(info.tid)});
    return known->second = id;
}

void AttachRecorder::setLanes()
{
    if (m_lanesSet == m_lanes.size())
        return;
    for (; m_lanesSet < m_lanes.size(); ++m_lanesSet)
        m_metrics.setLane(m_lanes[m_lanesSet].id, m_lanes[m_lanesSet].role);
    m_paths.setLanes(m_lanes);
    if (m_writer)
        m_writer->setLanes(m_lanes);
}

NameId AttachRecorder::nameOf(std::uint16_t call)
{
    if (!m_names[call])
        m_names[call] = internName(attachCall(call)->name, attachCall(call)->category);
    return *m_names[call];
}

void AttachRecorder::takeFigures(bool all)
{
    std::vector<FrameFigures> figures = m_metrics.take();
    m_paths.add(figures);
    std::vector<PathPiece> pieces;
    std::vector<PathGain> gains;
    m_paths.take(pieces, gains, all);
    m_figures.insert(m_figures.end(), figures.begin(), figures.end());
    if (!m_writer)
        return;
    m_writer->add(std::move(figures));
    m_writer->add(std::move(pieces));
}

void AttachRecorder::finish()
{
    if (const auto frame = m_frames.finish())
        addFrame(*frame);
    guess();
    placeHeld();
    m_metrics.resolved(std::numeric_limits<std::int64_t>::max());
    takeFigures(true);
}

PathSummary AttachRecorder::path() const
{
    PathSummary summary;
    if (m_frameCount == 0 || m_periodsNs <= 0)
        return summary;
    summary.frames = m_frameCount;
    const auto frames = static_cast<double>(m_frameCount);
    summary.periodMs = static_cast<double>(m_periodsNs) / frames / 1e6;
    std::int64_t betweenNs = m_periodsNs;
    auto callNs = m_frameThreadNs;
    if (m_pathFrame < m_frameCount)
        for (const auto &[call, ns] : m_pathCalls)
            callNs[call] += ns;
    const auto add = [&](std::string_view what, std::int64_t ns, PathCause cause) {
        PathShare share;
        share.what = what;
        share.cause = cause;
        share.ms = static_cast<double>(ns) / frames / 1e6;
        share.share = static_cast<double>(ns) / static_cast<double>(m_periodsNs);
        summary.shares.push_back(std::move(share));
    };
    for (std::uint16_t call = 0; call < JSA_CALL_COUNT; ++call)
        if (callNs[call] > 0) {
            add(attachCall(call)->name, callNs[call], PathCause::Call);
            betweenNs -= callNs[call];
        }
    add("the program's own code between the calls", std::max<std::int64_t>(betweenNs, 0), PathCause::Unknown);
    std::stable_sort(summary.shares.begin(), summary.shares.end(),
                     [](const PathShare &a, const PathShare &b) { return a.share > b.share; });
    if (const auto lane = m_laneOf.find(m_frames.thread()); lane != m_laneOf.end() && lane->second)
        for (PathShare &share : summary.shares)
            share.lane = m_lanes[*lane->second].name;
    return summary;
}

} // namespace jetscope
