// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/defaultstreamwaits.h"
#include "core/attach/model/workbounds.h"
#include "core/attach/read/ringreader.h"
#include "core/recording/span.h"
#include "core/trace/spanedge.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jetscope {

/// The GPU's work of an inspected program in a trace: a lane for each stream, and spans that belong to the frame in
/// which the work was submitted. Where CUPTI recorded, spans have hardware times, and its correlation ids link them
/// with the calls; else they are bounds. Memory is bounded. Not thread-safe.
class GpuTimeline {
public:
    using FrameAt = std::function<std::uint32_t(std::int64_t ns)>;
    /// A new lane of a device's stream with this name, detail and GPU; none if there are too many.
    using NewLane =
        std::function<std::optional<LaneId>(std::string name, std::string detail, std::optional<std::uint32_t> gpu)>;

    GpuTimeline(const ProgramModel &model, FrameAt frameAt, NewLane newLane)
        : m_model(model), m_frameAt(std::move(frameAt)), m_newLane(std::move(newLane)), m_bounds(model)
    {
    }

    /// What the reader has read: call before the calls that it read at the same time.
    void read(RingReader &reader);
    /// Calls that the model has taken, with the same numbers. `lane`: where the call is shown, if it is.
    void take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::optional<LaneId> lane = {});
    /// A frame ended. Work that may still run is a bounded span of this frame, too.
    void endFrame(std::int64_t ns);
    /// After the calls that the reader has read: work of processes that have ended does not run any more.
    void endProcesses(const RingReader &reader);
    /// Calls were left out: of work without hardware times nothing is known any more.
    void interrupt() { m_bounds.interrupt(); }
    /// Appends the spans whose frame is known by now. All calls that ended before `completeNs` were taken, and of each
    /// thread all that ended before its newest one: a thread that blocks holds up none of the others. `all`: nothing
    /// follows.
    void place(std::int64_t completeNs, bool all, std::vector<Span> &out);
    /// The same of work that began before `untilNs`, when all calls that began before have been taken, and calls that
    /// were read long ago follow.
    void placeUntil(std::int64_t untilNs, std::vector<Span> &out);

    /// From calls to their work, of the spans that were appended since the last call.
    std::vector<SpanEdge> takeEdges() { return std::exchange(m_edges, {}); }

    /// All spans that begin before this time were appended, but for very late ones.
    std::int64_t settledNs(std::int64_t completeNs) const;

    /// By hardware times.
    const DefaultStreamWaits &defaultStreamWaits() const { return m_waits; }
    /// Pieces of work, and calls, that are not appended yet.
    std::size_t waiting() const { return m_waiting.size(); }
    bool hasBounds() const { return m_hasBounds; }
    /// Pieces of work whose call is known, and others.
    std::uint64_t linked() const { return m_linked; }
    std::uint64_t unlinked() const { return m_unlinked; }

private:
    void placeBounded(std::vector<Span> &out);
    struct Submission {
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;
        std::uint32_t frame = kNoFrame;
        std::optional<LaneId> lane;
        StreamRole role = StreamRole::Free;
    };
    using Thread = std::pair<std::int32_t, std::int32_t>; ///< Process and thread.

    /// The calls of one thread.
    struct Submitter {
        std::deque<Submission> submissions;
        std::int64_t newestNs = 0; ///< Start of its newest call of CUDA: all that began before are known.
    };

    Submitter *submitterOf(Thread thread, bool mayBeNew);
    bool link(const AttachGpuWork &call, bool isComplete);
    void remember(std::int32_t pid, std::uint32_t correlation, const Submission &submission);
    bool placeWork(const AttachGpuWork &work, bool isLate, std::vector<Span> &out);
    NameId nameOf(const AttachGpuWork &work);
    std::optional<LaneId> laneOf(const AttachGpuWork &work);
    std::optional<LaneId> laneOf(const BoundedWork &work);

    const ProgramModel &m_model;
    const FrameAt m_frameAt;
    const NewLane m_newLane;
    std::set<std::int32_t> m_withTimes; ///< Processes whose kernels have hardware times.
    std::optional<std::int64_t> m_deliveredNs;
    std::vector<AttachGpuWork> m_waiting; ///< Until the calls of their time are known.
    std::map<Thread, Submitter> m_submitters;
    std::int64_t m_newestNs = 0;                            ///< End of the newest call of all threads.
    std::unordered_map<std::uint64_t, Submission> m_callOf; ///< By process and correlation id.
    std::deque<std::uint64_t> m_callOfOrder;
    std::vector<SpanEdge> m_edges;
    std::vector<std::string> m_kernels;
    std::vector<NameId> m_kernelNames; ///< By index of m_kernels.
    std::map<std::tuple<std::int32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::optional<LaneId>> m_lanes;
    std::map<std::pair<std::int32_t, std::uint64_t>, std::optional<LaneId>> m_boundedLanes;
    DefaultStreamWaits m_waits;
    WorkBounds m_bounds;
    std::vector<BoundedWork> m_bounded; ///< Not appended yet.
    bool m_hasBounds = false;
    std::uint64_t m_linked = 0;
    std::uint64_t m_unlinked = 0;
};

/// A kernel's name for users, from the compiler's: without arguments, of bounded length. Any bytes.
std::string kernelNameForUsers(const std::string &mangled);

} // namespace jetscope
