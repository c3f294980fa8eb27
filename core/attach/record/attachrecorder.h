// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/calljudges.h"
#include "core/attach/kernel/schedulertrace.h"
#include "core/attach/model/framefinder.h"
#include "core/attach/record/frameloops.h"
#include "core/attach/record/framesite.h"
#include "core/attach/record/framestarts.h"
#include "core/attach/record/gputimeline.h"
#include "core/attach/record/heldcalls.h"
#include "core/attach/record/overlapdepths.h"
#include "core/attach/record/pathpart.h"
#include "core/figures/framemetricsbuilder.h"
#include "core/path/pathfollower.h"
#include "core/stream/traceupdate.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// What is of no frame, because it sets up or comes after the last one.
struct FrameMargins {
    double beforeSeconds = 0;
    double behindSeconds = 0;
    double warmUpSeconds = 0; ///< Of the first frames, which no figure counts.
};

/// A loop that may make the frames.
struct LoopCandidate {
    FrameGuess guess;
    CallSite site;
    std::string thread;
    bool isTaken = false;
};

/// Makes a trace of an inspected program's calls: lanes by thread, spans, frames with their figures and paths,
/// findings. Memory is bounded but for one entry of figures a frame. Not thread-safe.
class AttachRecorder {
public:
    static constexpr std::size_t kMaxLanes = 4000; ///< Threads with a lane.

    explicit AttachRecorder(FrameWish wish);
    AttachRecorder(const AttachRecorder &) = delete; // Parts of it refer to it.
    AttachRecorder &operator=(const AttachRecorder &) = delete;

    /// Takes what is in the rings. `last`: nothing follows.
    void read(RingReader &reader, bool last);
    /// Call with what RingReader::drain appended and returned.
    void add(std::vector<AttachEvent> events, const std::vector<AttachThread> &threads, std::int64_t completeNs);
    /// The next bytes of the kernel's trace, after the calls that are as old. `last`: nothing follows.
    void addScheduler(std::string_view bytes, bool last);
    /// What `read` takes of calls that end from this time on, which is not before that of an earlier call. Off: memory
    /// and objects that they make or give back, so that these are known to what is recorded later, and nothing else; of
    /// the kernel's trace, nothing.
    void setRecording(bool on, std::int64_t ns);
    /// What is missing so far, wherever: the last calls have none behind them that tells.
    void setUnseen(const UnseenCalls &unseen) { m_judges.setUnseen(unseen); }
    /// Nothing follows.
    void finish();
    /// Empties what was made so far.
    TraceUpdate take();

    const FrameFinder &frameFinder() const { return m_frames; }
    /// What the frames are, as FrameFinder says it.
    std::string frameSource() const { return mainFinder().sourceName(); }
    std::string frameNote() const { return mainFinder().note(); }
    /// Frames so far, whether or not their figures are known yet.
    std::uint64_t frames() const { return m_loops.frames(); }
    /// Of all loops, also those that only set up: findings count these.
    std::uint64_t allFrames() const { return m_loops.allFrames(); }
    const std::vector<FrameFigures> &figures() const { return m_loops.figures(); }
    /// Of the frames behind warm-up, of which path() is, too.
    double meanPeriodMs() const { return m_loops.meanPeriodMs(); }
    std::size_t countedFrames() const { return m_loops.counted().size(); }
    /// The time before the first frame and behind the last one, from the first call to the last one.
    FrameMargins margins() const;
    /// The loops that may make the frames, the best one first; empty where nothing was guessed.
    std::vector<LoopCandidate> candidates() const;
    /// What tells where the code at a place is, as users name it; for FrameWish::Kind::Site.
    void setPlaceNames(FrameSite::PlaceNames names) { m_site.setPlaceNames(std::move(names)); }
    /// Where the periods of the frames go, by their critical paths: the program's calls by name, its own code between
    /// them, and the GPU's work as far as its times are known.
    PathSummary path() const;
    const GpuTimeline &gpu() const { return m_gpu; }
    const SchedulerTrace &scheduler() const { return m_scheduler; }
    /// The thread that makes the frames, by index; none if there are no frames so far.
    std::optional<std::uint32_t> frameThread() const { return m_frameThread; }
    /// concurrentManagedAccess of the GPU, which turns rules on; call first. Empty: not known.
    void setConcurrentManagedAccess(std::optional<bool> value) { m_judges.setConcurrentManagedAccess(value); }
    /// What was looked for, and why not.
    std::vector<WasteCheck> checks() const;
    /// The rules that the program breaks, and what it could save, with the places in it as far as they are known.
    std::vector<WasteFinding> findings() const;
    /// Calls recorded, by number.
    const std::array<std::uint64_t, JSA_MOST_CALLS> &calls() const { return m_calls; }
    /// Spans without a lane, because the program had too many threads.
    std::uint64_t spansLeftOut() const { return m_leftOut; }

private:
    struct Switch {
        bool on = true;
        std::int64_t ns = 0;
    };
    /// Calls were not recorded for a while, on purpose: the frame in progress does not count.
    void interrupt();

    void addSwitched(std::vector<AttachEvent> events, const std::vector<AttachThread> &threads,
                     std::int64_t completeNs);
    void learn(const std::vector<AttachEvent> &events, const std::vector<AttachThread> &threads,
               std::int64_t completeNs);
    void hold(std::vector<AttachEvent> events, std::int64_t completeNs);
    bool beginLoop(const std::optional<FrameGuess> &guess);
    void placeHeld();
    void placeInParts(std::vector<AttachEvent> events);
    void endHold();
    void settle(std::int64_t completeNs);
    FrameFinder mainFinder() const;
    void place(std::vector<AttachEvent> events);
    void place(const AttachEvent &event, std::vector<Span> &spans);
    void seeNewSites(std::int64_t ns);
    void setPlace(CallSite &site) const;
    void setFrameThread(std::uint32_t thread);
    void addFrame(const AttachFrame &frame);
    void placeGpuWork(std::int64_t completeNs, bool all);
    void markPause(std::int64_t startNs, std::int64_t endNs);
    void showGpuWork(std::vector<Span> spans);
    void show(std::vector<Span> spans);
    void takeFigures(bool all);
    std::optional<LaneId> laneOf(std::uint32_t thread);
    std::optional<LaneId> addLane(LaneRole role, std::string name, std::string detail);
    NameId nameOf(std::uint16_t call);

    ModuleTable m_modules;
    FrameFinder m_frames;
    HeldCalls m_held;
    FrameSite m_site;
    FrameStarts m_starts;
    FrameLoops m_loops;
    std::optional<Interval> m_allCalls;
    std::set<std::pair<std::int32_t, std::uint64_t>> m_seenSites; ///< Of calls that were held back.
    std::optional<std::uint32_t> m_frameThread;
    FrameFinder::Source m_threadFrom = FrameFinder::Source::None; ///< What told that thread.
    std::vector<AttachThread> m_threads;
    bool m_recording = true;
    bool m_nothingFollows = false;
    std::vector<Switch> m_switches; ///< That are still to come.
    std::vector<LaneInfo> m_lanes;
    std::size_t m_lanesTaken = 0;
    std::size_t m_countersTaken = 0;
    std::size_t m_lanesSet = 0;
    TraceUpdate m_update;
    std::unordered_map<std::uint32_t, std::optional<LaneId>> m_laneOf; ///< By thread.
    std::array<std::optional<NameId>, JSA_MOST_CALLS> m_names;
    std::array<std::uint64_t, JSA_MOST_CALLS> m_calls{};
    FrameMetricsBuilder m_metrics;
    PathFollower m_paths;
    PathPart m_pathPart;
    CallJudges m_judges;
    GpuTimeline m_gpu;
    OverlapDepths m_depths;                 ///< Of the GPU's lanes.
    std::optional<std::int64_t> m_pausedNs; ///< Since then nothing is recorded, on purpose.
    SchedulerTrace m_scheduler;
    std::string m_heldLines;        ///< For m_scheduler, as m_held.
    std::vector<Span> m_frameSpans; ///< Of frames that ended; not shown yet.
    std::uint64_t m_leftOut = 0;
};

} // namespace jetscope
