// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/frameaccounts.h"
#include "core/span.h"
#include "gpu/pipeline.h"

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Spans of one lane and nesting depth. They never overlap and are sorted, so one array serves searches by start and by
/// end.
struct Track {
    LaneId lane = 0;
    std::uint8_t depth = 0;
    std::deque<Span> spans;

    /// Indices [first, last) of the spans that touch [fromNs, toNs).
    std::pair<std::size_t, std::size_t> range(std::int64_t fromNs, std::int64_t toNs) const;
};

/// A change that took effect, or a broken rule, at a moment of the trace.
struct TraceMark {
    enum class Kind { Switch, Violation };
    Kind kind = Kind::Switch;
    std::int64_t timeNs = 0;
    std::uint32_t frame = 0;
    std::string text;
};

/// The recent past of a pipeline: spans of the last `kKeepNs`, figures of the last `kKeepFrames` frames, marks.
/// One thread.
class TraceHistory {
public:
    static constexpr std::int64_t kKeepNs = 20'000'000'000;
    static constexpr std::size_t kKeepFrames = 1000;
    static constexpr std::size_t kKeepMarks = 500;
    static constexpr std::size_t kKeepSpansPerTrack = 200'000; ///< Bounds memory whatever the rate.

    void setLanes(std::vector<LaneInfo> lanes);
    void add(const std::vector<Span> &spans);
    void add(const std::vector<FrameFigures> &figures);
    void add(const PipelineNotice &notice);
    void clear();

    const std::vector<LaneInfo> &lanes() const { return m_lanes; }
    /// Ordered as shown: by role, then lane, then depth.
    const std::vector<Track> &tracks() const { return m_tracks; }
    const std::deque<FrameFigures> &frames() const { return m_frames; }
    const std::deque<TraceMark> &marks() const { return m_marks; }

    /// Differs whenever lanes or tracks do.
    std::uint64_t revision() const { return m_revision; }

    bool isEmpty() const { return m_newestNs == 0; }
    std::int64_t oldestNs() const;
    std::int64_t newestNs() const { return m_newestNs; }

    /// Spans that came behind a later one of their track and were left out.
    std::uint64_t lateSpans() const { return m_late; }
    std::size_t spanCount() const;

    /// Frames whose period touches [fromNs, toNs), as [first, last) of frames().
    std::pair<std::size_t, std::size_t> framesIn(std::int64_t fromNs, std::int64_t toNs) const;

    const LaneInfo *lane(LaneId id) const;

private:
    Track &trackFor(const Span &span);
    int rank(LaneId lane) const;
    void forgetOld();

    std::vector<LaneInfo> m_lanes;
    std::vector<Track> m_tracks;
    std::deque<FrameFigures> m_frames;
    std::deque<TraceMark> m_marks;
    std::int64_t m_newestNs = 0;
    std::uint64_t m_late = 0;
    std::uint64_t m_revision = 0;
};

} // namespace jetscope
