// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardfactrows.h"
#include "core/lab/latestages.h"
#include "core/path/pathfollower.h"
#include "core/recording/tracer.h"
#include "gpu/pipeline/pipelinecontrol.h"
#include "gpu/pipeline/wakeevent.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// The trace mark for a notice; none for notices without a time.
std::optional<TraceMark> markOf(const PipelineNotice &notice);

/// The pipeline's data about its own measurement: rows such as `gpu_time`, `gpu_time_reason` and `trace_cost`.
std::vector<TraceFact> factsOf(const PipelineStatus &status);

/// Commands that the pipeline has not begun. A newer one of a kind replaces the older one, so that a user who clicks
/// faster than resources can be built gets the last choice.
struct PendingCommands {
    std::optional<PipelineConfig> config;
    std::optional<std::string> deviceId; ///< Together with `config`.
    std::optional<std::string> sourceUri;
    bool paused = false; ///< A state: stays after it was taken, like `stop`.
    int steps = 0;
    bool stop = false;

    bool any() const { return config || sourceUri || steps > 0 || paused || stop; }
};

/// Between a pipeline's threads and its owner: commands one way, status and updates the other. What nobody drains is
/// bounded. Any thread, unless a function says otherwise.
class PipelineChannel {
public:
    /// Ids of the machine.s counters start here; those of the pipeline lie before.
    static constexpr CounterId kFirstHostCounter = 1000;

    // --- the owner's side

    void post(PipelineCommand command);
    void stop();
    PipelineStatus status() const;
    void waitForEnd() const;
    /// Follows the critical paths on the way, so that the pipeline thread does not pay for it. One thread.
    PipelineUpdate drain();

    // --- the pipeline's side

    /// The commands since the last call. Pipeline thread.
    PendingCommands takeCommands();
    bool hasCommands() const;
    /// What the pipeline thread sleeps on; posting a command wakes it.
    WakeEvent &wakeEvent() { return m_wakeEvent; }

    /// `news` comes with the status: who sees the one sees the other, too.
    void publish(PipelineStatus status, std::optional<PipelineNotice> news = {});
    /// Kept in all later statuses.
    void setPowerMode(const std::string &mode);
    /// A notice without a time gets the present one.
    void report(PipelineNotice notice);
    /// `lost`: all spans that were lost before they came here; `missed`: all spans that the figures lack.
    void add(std::vector<LaneInfo> newLanes, std::vector<Span> spans, std::vector<FrameFigures> figures,
             std::uint64_t lost, std::uint64_t missed);
    /// In order of frames; one that follows from the one before adds nothing.
    void addFrameNumber(const FrameNumber &number);
    void addAnswers(std::vector<CpuAnswer> answers);
    /// Adds a counter of the pipeline.
    CounterId addCounter(std::string name, std::string unit, std::optional<LaneId> lane = {});
    void addCounters(const std::vector<CounterInfo> &infos);
    /// Each counter's samples in order.
    void addSamples(std::vector<CounterSample> samples);

private:
    void append(PipelineNotice notice);
    void explainLosses(PipelineUpdate &update, bool all);

    WakeEvent m_wakeEvent;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_statusChanged;
    PendingCommands m_commands;
    PipelineStatus m_status;
    std::string m_powerMode;
    PipelineUpdate m_update;             ///< Not drained yet; its path is still empty.
    std::optional<FrameNumber> m_number; ///< The newest.
    std::uint64_t m_lost = 0;            ///< Of the tracer, since the start.
    std::uint64_t m_missed = 0;          ///< By the figures, since the start.
    CounterId m_nextCounter = 0;
    bool m_ended = false; ///< No more frames will come.

    // The draining thread's alone.
    std::vector<SpanName> m_names;                    ///< All that were said.
    std::vector<TraceFact> m_board = boardFactRows(); ///< Of this machine; said once.
    std::vector<TraceFact> m_facts;
    TraceHead m_head; ///< For the follower.
    PathFollower m_follower;
    int m_quietDrains = 0; ///< In a row, without a new frame.
    LateStages m_late;
    std::vector<PipelineNotice> m_unexplained; ///< Of missing frames, until the path of the pipeline's frame is known.
};

} // namespace jetscope
