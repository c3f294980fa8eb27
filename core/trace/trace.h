// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/countertrack.h"
#include "core/trace/edgelist.h"
#include "core/trace/framenumbers.h"
#include "core/trace/frametable.h"
#include "core/trace/marklist.h"
#include "core/trace/names.h"
#include "core/trace/spantrack.h"
#include "core/trace/thumbnails.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace jetscope {

/// Where a trace comes from. Texts are for people.
struct TraceOrigin {
    std::string device;  ///< "software iGPU (orin rules) on …", "NVIDIA H200"; the device behind every figure.
    std::string source;  ///< Address of the camera or file.
    std::string program; ///< "Jetscope 0.1.0"
    std::string file;    ///< The capture or import; empty while live.
    std::int64_t wallClockOffsetNs = 0; ///< Unix time minus CLOCK_MONOTONIC; 0 unknown.
};

/// Everything that is known of a run: spans by lane and depth, figures of frames, counters, marks. Live, opened from a
/// capture or imported: always this. Written and read by one thread, so there are no locks; the window's is the UI
/// thread.
class Trace {
public:
    static constexpr std::uint64_t kDefaultMostSpans = 10'000'000;
    /// The unit in which the oldest spans are dropped.
    static constexpr std::uint64_t kSegmentSpans = 1'000'000;

    static constexpr std::size_t kMostTracks = 10'000;

    /// With more than `mostSpans` the oldest segment is dropped from every lane, with its frames, counters and marks.
    /// At least two segments are kept.
    explicit Trace(std::uint64_t mostSpans = kDefaultMostSpans);

    void setOrigin(TraceOrigin origin) { m_origin = std::move(origin); }
    const TraceOrigin &origin() const { return m_origin; }
    void setMostSpans(std::uint64_t mostSpans);
    std::uint64_t mostSpans() const { return m_mostSpans; }

    // Writing.

    /// All lanes so far; they are only ever added.
    void setLanes(std::vector<LaneInfo> lanes);
    void setCounters(const std::vector<CounterInfo> &counters);
    TraceNames &names() { return m_names; }
    /// False, and counted as late, when it cannot stand where it belongs (SpanTrack::append), its name is none of
    /// names(), or its track would be one more than kMostTracks.
    bool add(LaneId lane, std::uint8_t depth, const TraceSpan &span);
    /// Spans of this process, as the tracer collects them.
    void add(std::span<const Span> spans);
    void add(std::span<const FrameFigures> figures);
    /// Before or after the spans of those frames.
    void add(std::span<const FrameNumber> numbers);
    void add(std::span<const CounterSample> samples);
    /// What its producer knows of what depends on what. Any order, at any time: spans are named by lane and start.
    void add(std::span<const SpanEdge> edges);
    void add(TraceMark mark);
    void add(Thumbnail thumbnail);
    void clear();

    // Reading.

    const TraceNames &names() const { return m_names; }
    const std::vector<LaneInfo> &lanes() const { return m_lanes; }
    const LaneInfo *lane(LaneId id) const;
    /// Ordered as shown: by role, then lane, then depth.
    const std::vector<SpanTrack> &tracks() const { return m_tracks; }
    const FrameTable &frames() const { return m_frames; }
    /// The number to show for a frame: its source's.
    std::uint64_t frameNumber(std::uint32_t frame) const { return m_frameNumbers.of(frame); }
    const FrameNumbers &frameNumbers() const { return m_frameNumbers; }
    const std::vector<CounterTrack> &counters() const { return m_counters; }
    const MarkList &marks() const { return m_marks; }
    /// Those that lead to spans that begin in this time.
    std::span<const SpanEdge> edges(Interval time) const { return m_edges.within(time); }
    std::span<const SpanEdge> edges() const { return m_edges.all(); }
    std::uint64_t edgesLeftOut() const { return m_edges.leftOut(); }
    /// Those that lead from the span of a lane that begins then, and to it; at most EdgeList::kMostOfOne.
    std::vector<SpanEdge> edgesFrom(LaneId lane, std::int64_t startNs) const { return m_edges.from(lane, startNs); }
    std::vector<SpanEdge> edgesTo(LaneId lane, std::int64_t startNs) const { return m_edges.to(lane, startNs); }
    const ThumbnailList &thumbnails() const { return m_thumbnails; }

    /// Differs whenever lanes, tracks or counters do.
    std::uint64_t shape() const { return m_shape; }
    /// Differs whenever anything does.
    std::uint64_t version() const { return m_version; }

    bool empty() const { return m_newestNs == kNever && m_newestOtherNs == kNever; }
    /// Where spans and frames begin and end; without any, counters and marks. 0 for an empty trace.
    std::int64_t oldestNs() const;
    std::int64_t newestNs() const;

    std::uint64_t spanCount() const { return m_spans; }      ///< Kept now.
    std::uint64_t lateSpans() const { return m_late; }       ///< Left out, because a later one was there.
    std::uint64_t droppedSpans() const { return m_dropped; } ///< Forgotten at the cap.
    std::uint64_t memoryBytes() const;

private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

    SpanTrack *trackFor(LaneId lane, std::uint8_t depth);
    void indexTracks();
    std::uint64_t spansBefore(std::int64_t ns) const;
    void dropOldest();

    TraceOrigin m_origin;
    std::uint64_t m_mostSpans;
    TraceNames m_names;
    std::vector<LaneInfo> m_lanes;
    std::vector<SpanTrack> m_tracks;
    std::vector<std::vector<std::uint32_t>>
        m_trackOf; ///< By lane and depth: one more than the place in m_tracks, or 0.
    std::vector<CounterTrack> m_counters;
    std::vector<std::uint32_t> m_counterOf; ///< By id: one more than the place in m_counters, or 0.
    FrameTable m_frames;
    FrameNumbers m_frameNumbers;
    MarkList m_marks;
    EdgeList m_edges;
    ThumbnailList m_thumbnails;
    std::int64_t m_newestNs = kNever; ///< Of spans and frames.
    std::int64_t m_newestOtherNs =
        kNever; ///< Of counters and marks: they may run ahead of what the device reports late.
    std::uint64_t m_spans = 0;
    std::uint64_t m_late = 0;
    std::uint64_t m_dropped = 0;
    std::uint64_t m_shape = 0;
    std::uint64_t m_version = 0;
};

} // namespace jetscope
