// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"
#include "core/trace/clockmeeting.h"
#include "core/trace/countertrack.h"
#include "core/trace/distantspans.h"
#include "core/trace/edgelist.h"
#include "core/trace/framenumbers.h"
#include "core/trace/frametable.h"
#include "core/trace/marklist.h"
#include "core/trace/names.h"
#include "core/trace/spantrack.h"
#include "core/trace/thumbnails.h"
#include "core/trace/tracenote.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// The origin of a trace. Texts are for display.
struct TraceOrigin {
    std::string device;                 ///< For example "software iGPU (orin rules) on …", "NVIDIA H200".
    std::string source;                 ///< Address of the camera or file.
    std::string program;                ///< "Jetscope 0.1.0"
    std::string file;                   ///< The capture or imported file; empty while live.
    std::int64_t wallClockOffsetNs = 0; ///< Unix time minus the trace's clock; 0 if unknown, or the clock is Unix time.
    /// At the start of a recording, at the end of a saved trace; empty for traces of other programs.
    std::optional<PipelineConfig> config = {};
    std::vector<ClockMeeting> clocks = {}; ///< In the order of time; at most kMostClockMeetings.
};

/// A row of a capture's table `device`.
using TraceFact = std::pair<std::string, std::string>;
/// The row of a capture of an inspected program; its value is "yes".
inline constexpr const char *kAttachedFact = "attached";

/// All data of a run: spans by lane and depth, figures of frames, counters, marks. The same class is used for live
/// traces, opened captures and imports. Not thread-safe and without locks: written and read on one thread, in the
/// window the UI thread.
class Trace {
public:
    static constexpr std::uint64_t kDefaultMaxSpans = 10'000'000;
    /// The oldest spans are dropped in units of this many.
    static constexpr std::uint64_t kSegmentSpans = 1'000'000;

    static constexpr std::size_t kMaxTracks = 10'000;
    static constexpr std::size_t kMaxFacts = 1000;

    /// When there are more than `mostSpans` spans, the oldest segment is dropped from every lane, with its frames,
    /// counters and marks. At least two segments are kept.
    explicit Trace(std::uint64_t mostSpans = kDefaultMaxSpans);
    Trace(Trace &&) = default;
    Trace &operator=(Trace &&) = default;

    /// The trace as it is now, for another thread: this one may go on to change. Spans, frames, counters and names are
    /// shared, which takes about a millisecond for 10 million spans. Edges that lead to spans that begin within `edges`
    /// are copied; others, marks and pictures are left out.
    std::shared_ptr<const Trace> snapshot(Interval edges = {}) const;

    void setOrigin(TraceOrigin origin) { m_origin = std::move(origin); }
    const TraceOrigin &origin() const { return m_origin; }
    /// What else is known of the machine and the run, by name; a saved trace has it, too. At most kMaxFacts names.
    void setFact(const TraceFact &fact);
    const std::vector<TraceFact> &facts() const { return m_facts; }
    /// Unix time minus the clock of the trace; empty if unknown. A clock that shows a time of this century is Unix
    /// time, if its origin says nothing: no machine has run since 1970.
    std::optional<std::int64_t> unixOffsetNs() const;
    void setMostSpans(std::uint64_t mostSpans);
    std::uint64_t mostSpans() const { return m_mostSpans; }

    // --- writing

    /// Sets all lanes so far; lanes are never removed.
    void setLanes(std::vector<LaneInfo> lanes);
    /// Adds the counters whose ids are new. One without a name is named after its id.
    void setCounters(const std::vector<CounterInfo> &counters);
    TraceNames &names() { return m_names; }
    /// Returns false and counts the span as late if it is out of order (SpanTrack::append), if its name is not in
    /// names(), or if its track would exceed kMaxTracks.
    bool add(LaneId lane, std::uint8_t depth, const TraceSpan &span);
    /// Adds spans of this process, as collected from the tracer.
    void add(std::span<const Span> spans);
    /// Spans that come late, in any order: those of times where others are stored are left out. Indices of spans and
    /// the shape change.
    void insert(std::span<const Span> late);
    /// When spans have not come yet, in order of time.
    void setMissing(Intervals times);
    void add(std::span<const FrameFigures> figures);
    /// May be called before or after adding the spans of those frames.
    void add(std::span<const FrameNumber> numbers);
    void add(std::span<const CounterSample> samples);
    /// Adds the dependencies that the producer recorded, in any order and at any time.
    void add(std::span<const SpanEdge> edges);
    void add(TraceMark mark);
    void add(Thumbnail thumbnail);
    /// What readers of the trace wrote, in any order.
    void setNotes(std::vector<TraceNote> notes);

    // --- a trace whose spans lie elsewhere

    /// Before anything is shown of it.
    void setDistant(std::shared_ptr<DistantSpans> spans, const DistantWhole &whole);
    /// Null if the spans are here.
    DistantSpans *distant() const { return m_distant.get(); }
    void addTrack(LaneId lane, std::uint8_t depth) { trackFor(lane, depth); }
    /// Of the samples of a counter, which are elsewhere.
    void setExtremes(std::size_t counter, std::pair<double, double> extremes);
    /// All frames that are known are these.
    void replaceFrames(std::span<const FrameFigures> figures, std::span<const FrameNumber> numbers);

    // --- reading

    const TraceNames &names() const { return m_names; }
    const std::vector<LaneInfo> &lanes() const { return m_lanes; }
    const LaneInfo *lane(LaneId id) const;
    /// In display order: by role, then lane, then depth.
    const std::vector<SpanTrack> &tracks() const { return m_tracks; }
    const Intervals &missing() const { return m_missing; }
    const FrameTable &frames() const { return m_frames; }
    /// The frame number to display: the source's number.
    std::uint64_t frameNumber(std::uint32_t frame) const { return m_frameNumbers.of(frame); }
    const FrameNumbers &frameNumbers() const { return m_frameNumbers; }
    const std::vector<CounterTrack> &counters() const { return m_counters; }
    const MarkList &marks() const { return m_marks; }
    /// Edges that lead to spans that begin within this time.
    std::span<const SpanEdge> edges(Interval time) const { return m_edges.within(time); }
    std::span<const SpanEdge> edges() const { return m_edges.all(); }
    std::uint64_t edgesLeftOut() const { return m_edges.leftOut(); }
    /// Edges to or from the span of a lane that begins at this time; at most EdgeList::kMaxOfOne.
    std::vector<SpanEdge> edgesFrom(LaneId lane, std::int64_t startNs) const { return m_edges.from(lane, startNs); }
    std::vector<SpanEdge> edgesTo(LaneId lane, std::int64_t startNs) const { return m_edges.to(lane, startNs); }
    const ThumbnailList &thumbnails() const { return m_thumbnails; }
    const std::vector<TraceNote> &notes() const { return m_notes; } ///< In the order of their starts.

    /// Changes whenever lanes, tracks or counters are added or removed, and when spans come late.
    std::uint64_t shape() const { return m_shape; }
    /// Changes whenever anything changes.
    std::uint64_t version() const { return m_version; }

    bool empty() const { return !m_distant && m_newestNs == kNever && m_newestOtherNs == kNever; }
    /// Start and end of the spans and frames; without any, of counters and marks. 0 for an empty trace.
    std::int64_t oldestNs() const;
    std::int64_t newestNs() const;

    std::uint64_t spanCount() const { return m_distant ? m_whole.spans : m_spans; } ///< Spans stored now.
    std::uint64_t frameCount() const
    {
        return m_distant ? m_whole.frames : m_frames.endIndex() - m_frames.firstIndex();
    }
    std::uint64_t framesLeftOut() const { return m_framesLeftOut; }   ///< Rejected by FrameTable::append.
    std::uint64_t samplesLeftOut() const { return m_samplesLeftOut; } ///< Rejected because a later one was stored.
    std::uint64_t lateSpans() const { return m_late; }       ///< Rejected because a later span was already stored.
    std::uint64_t droppedSpans() const { return m_dropped; } ///< Dropped at the limit.
    std::uint64_t memoryBytes() const;

private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

    Trace(const Trace &other, Interval edges);
    SpanTrack *trackFor(LaneId lane, std::uint8_t depth);
    void indexTracks();
    std::uint64_t spansBefore(std::int64_t ns) const;
    void dropOldest();

    TraceOrigin m_origin;
    std::vector<TraceFact> m_facts;
    std::uint64_t m_mostSpans;
    TraceNames m_names;
    std::vector<LaneInfo> m_lanes;
    std::vector<SpanTrack> m_tracks;
    std::vector<std::vector<std::uint32_t>> m_trackOf; ///< By lane and depth: index into m_tracks plus 1, or 0.
    std::vector<CounterTrack> m_counters;
    std::vector<std::uint32_t> m_counterOf; ///< By id: index into m_counters plus 1, or 0.
    FrameTable m_frames;
    FrameNumbers m_frameNumbers;
    MarkList m_marks;
    EdgeList m_edges;
    ThumbnailList m_thumbnails;
    std::vector<TraceNote> m_notes;
    Intervals m_missing;
    std::shared_ptr<DistantSpans> m_distant;
    DistantWhole m_whole;                  ///< If they are distant.
    std::int64_t m_newestNs = kNever;      ///< End of the newest span or frame.
    std::int64_t m_newestOtherNs = kNever; ///< Newest counter sample or mark; may be ahead of late device results.
    std::uint64_t m_spans = 0;
    std::uint64_t m_late = 0;
    std::uint64_t m_framesLeftOut = 0;
    std::uint64_t m_samplesLeftOut = 0;
    std::uint64_t m_dropped = 0;
    std::uint64_t m_shape = 0;
    std::uint64_t m_version = 0;
};

} // namespace jetscope
