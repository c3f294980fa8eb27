// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/tracehistory.h"

#include <algorithm>
#include <tuple>

namespace jetscope {

namespace {

/// Order of the lanes from top to bottom: the way of a frame.
int roleRank(LaneRole role)
{
    switch (role) {
    case LaneRole::Capture:
        return 0;
    case LaneRole::Pipeline:
        return 1;
    case LaneRole::CpuStage:
        return 2;
    case LaneRole::DeviceStream:
        return 3;
    case LaneRole::GlQueue:
        return 4;
    case LaneRole::View:
        return 5;
    case LaneRole::Tool:
        return 6;
    }
    return 7;
}

} // namespace

std::pair<std::size_t, std::size_t> Track::range(std::int64_t fromNs, std::int64_t toNs) const
{
    const auto first =
        std::partition_point(spans.begin(), spans.end(), [fromNs](const Span &span) { return span.endNs() <= fromNs; });
    const auto last =
        std::partition_point(first, spans.end(), [toNs](const Span &span) { return span.startNs < toNs; });
    return {static_cast<std::size_t>(first - spans.begin()), static_cast<std::size_t>(last - spans.begin())};
}

void TraceHistory::setLanes(std::vector<LaneInfo> lanes)
{
    if (lanes.size() == m_lanes.size())
        return; // Lanes are only ever added.
    m_lanes = std::move(lanes);
    ++m_revision;
    std::sort(m_tracks.begin(), m_tracks.end(), [this](const Track &a, const Track &b) {
        return std::tuple(rank(a.lane), a.lane, a.depth) < std::tuple(rank(b.lane), b.lane, b.depth);
    });
}

const LaneInfo *TraceHistory::lane(LaneId id) const
{
    const auto found =
        std::find_if(m_lanes.begin(), m_lanes.end(), [id](const LaneInfo &info) { return info.id == id; });
    return found == m_lanes.end() ? nullptr : &*found;
}

int TraceHistory::rank(LaneId id) const
{
    const LaneInfo *info = lane(id);
    return info ? roleRank(info->role) : roleRank(LaneRole::Tool) + 1;
}

Track &TraceHistory::trackFor(const Span &span)
{
    const auto key = std::tuple(rank(span.lane), span.lane, span.depth);
    auto place = std::partition_point(m_tracks.begin(), m_tracks.end(), [&](const Track &track) {
        return std::tuple(rank(track.lane), track.lane, track.depth) < key;
    });
    if (place == m_tracks.end() || place->lane != span.lane || place->depth != span.depth) {
        place = m_tracks.insert(place, Track{span.lane, span.depth, {}});
        ++m_revision;
    }
    return *place;
}

void TraceHistory::add(const std::vector<Span> &spans)
{
    for (const Span &span : spans) {
        Track &track = trackFor(span);
        if (!track.spans.empty() && span.startNs < track.spans.back().endNs()) {
            ++m_late;
            continue;
        }
        track.spans.push_back(span);
        m_newestNs = std::max(m_newestNs, span.endNs());
    }
    forgetOld();
}

void TraceHistory::add(const std::vector<FrameFigures> &figures)
{
    m_frames.insert(m_frames.end(), figures.begin(), figures.end());
    while (m_frames.size() > kKeepFrames)
        m_frames.pop_front();
}

void TraceHistory::add(const PipelineNotice &notice)
{
    const bool isSwitch = notice.kind == PipelineNotice::Kind::Switched;
    if (!isSwitch && notice.kind != PipelineNotice::Kind::Violation)
        return;
    m_marks.push_back(
        {isSwitch ? TraceMark::Kind::Switch : TraceMark::Kind::Violation, notice.timeNs, notice.frame, notice.text});
    while (m_marks.size() > kKeepMarks)
        m_marks.pop_front();
}

void TraceHistory::clear()
{
    const std::uint64_t revision = m_revision + 1;
    *this = TraceHistory{};
    m_revision = revision;
}

void TraceHistory::forgetOld()
{
    const std::int64_t oldest = m_newestNs - kKeepNs;
    for (Track &track : m_tracks)
        while (!track.spans.empty()
               && (track.spans.front().endNs() < oldest || track.spans.size() > kKeepSpansPerTrack))
            track.spans.pop_front();
}

std::int64_t TraceHistory::oldestNs() const
{
    std::int64_t oldest = m_newestNs;
    for (const Track &track : m_tracks)
        if (!track.spans.empty())
            oldest = std::min(oldest, track.spans.front().startNs);
    return oldest;
}

std::size_t TraceHistory::spanCount() const
{
    std::size_t count = 0;
    for (const Track &track : m_tracks)
        count += track.spans.size();
    return count;
}

std::pair<std::size_t, std::size_t> TraceHistory::framesIn(std::int64_t fromNs, std::int64_t toNs) const
{
    const auto first = std::partition_point(m_frames.begin(), m_frames.end(), [fromNs](const FrameFigures &figures) {
        return figures.startNs + figures.periodNs() <= fromNs;
    });
    const auto last = std::partition_point(first, m_frames.end(),
                                           [toNs](const FrameFigures &figures) { return figures.startNs < toNs; });
    return {static_cast<std::size_t>(first - m_frames.begin()), static_cast<std::size_t>(last - m_frames.begin())};
}

} // namespace jetscope
