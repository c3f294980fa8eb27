// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/kernel/contexttrace.h"
#include "core/attach/kernel/enginetrace.h"
#include "core/attach/kernel/recordingturns.h"
#include "core/attach/kernel/schedulerlanes.h"
#include "core/attach/kernel/traceline.h"
#include "core/attach/read/pidnamespace.h"
#include "core/attach/read/ringreader.h"
#include "core/recording/span.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// How long a thread of an inspected program was in each state, as far as the kernel told.
struct SchedulerTimes {
    std::int64_t onCpuNs = 0;
    std::int64_t readyNs = 0;   ///< It could run, and no CPU was free for it.
    std::int64_t blockedNs = 0; ///< It waited for something.

    std::int64_t allNs() const { return onCpuNs + readyNs + blockedNs; }
};

/// Events of the kernel that jetscope-sched asked for, and how many of them this kernel has.
struct TracedGroup {
    std::string name;
    std::uint32_t has = 0;
    std::uint32_t of = 0;
};

/// Makes lanes of what the kernel's scheduler and the drivers of a Jetson's GPU and engines tell: a lane for each
/// thread of the inspected program that has a lane of calls, one for each engine, and one of the GPU's contexts. Lines
/// are text of a program that root has started; any bytes are taken. Memory is bounded. Not thread-safe.
class SchedulerTrace {
public:
    /// `pidNamespace`: in which the numbers of threads count. A trace that says that it counts in another one has none
    /// of them; one that says nothing counts in this one.
    SchedulerTrace(SchedulerFrameAt frameAt, SchedulerNewLane newLane,
                   std::uint32_t pidNamespace = jetscope::pidNamespace())
        : m_frameAt(frameAt),
          m_newLane(newLane),
          m_namespace(pidNamespace),
          m_engines(frameAt, newLane),
          m_contexts(std::move(frameAt), std::move(newLane))
    {
    }

    /// All threads so far.
    void setThreads(const std::vector<AttachThread> &threads);
    /// The next bytes; a line may come in parts. Appends the spans that ended.
    void take(std::string_view bytes, std::vector<Span> &out);

    /// What is made of lines by their own times, from this time on, which is not before that of an earlier call. Off:
    /// nothing.
    void setRecording(bool on, std::int64_t ns);
    /// Nothing follows.
    void finish(std::vector<Span> &out);

    /// The lines of the kernel that were read, those that are none, and how often the kernel has lost some.
    std::uint64_t lines() const { return m_lines; }
    std::uint64_t damaged() const { return m_damaged; }
    std::uint64_t lost() const { return m_lost; }
    /// The time of the newest line.
    std::int64_t newestNs() const { return m_newestNs; }
    /// Why there are no lines, as the program that reads the trace says it; empty if it says nothing.
    const std::string &refusal() const { return m_refusal; }
    /// As the program that reads the trace says it.
    const std::vector<TracedGroup> &groups() const { return m_groups; }
    const EngineTrace &engines() const { return m_engines; }
    const ContextTrace &contexts() const { return m_contexts; }
    /// Why nothing is told of the GPU's contexts; empty if nothing says so.
    const std::string &contextsRefusal() const { return m_contextsRefusal; }
    /// By index of the thread; none if nothing is known of it.
    std::optional<SchedulerTimes> times(std::uint32_t thread) const;
    /// The trace counts threads in another PID namespace: which of them are the program's is not known.
    bool countsElsewhere() const { return m_countsElsewhere; }
    /// Something is known of a thread.
    bool hasTimes() const;

private:
    enum class State : std::uint8_t { Unknown, OnCpu, Ready, Blocked };
    struct Thread {
        std::uint32_t index = 0;
        std::string name; ///< As that of the lane of its calls.
        std::string detail;
        std::optional<LaneId> lane;
        bool hasLane = false; ///< It was asked for.
        State state = State::Unknown;
        bool hasEnded = false;
        std::int64_t sinceNs = 0;
        SchedulerTimes times;
    };

    void takeLine(std::string_view line, std::vector<Span> &out);
    void takeComment(std::string_view text);
    void takeNamespace(std::string_view number);
    void forget();
    void setEnded(std::int32_t tid);
    void enter(std::int32_t tid, State state, std::int64_t ns, std::vector<Span> &out);
    void takeDriver(const TraceLine &line, std::vector<Span> &out);
    void takeEngine(const TraceLine &line, std::vector<Span> &out);
    void takeContext(const TraceLine &line, std::vector<Span> &out);
    std::optional<LaneId> laneOf(Thread &thread);
    void add(LaneId lane, NameId name, std::int64_t fromNs, std::int64_t toNs, std::vector<Span> &out) const;

    const SchedulerFrameAt m_frameAt;
    const SchedulerNewLane m_newLane;
    const std::uint32_t m_namespace;
    bool m_countsElsewhere = false;
    EngineTrace m_engines;
    ContextTrace m_contexts;
    std::map<std::int32_t, std::string> m_processes; ///< Names by number of the system.
    RecordingTurns m_turns;                          ///< For the lines of the kernel.
    RecordingTurns m_contextTurns;                   ///< Context switches are told later than the lines around them.
    std::map<std::int32_t, Thread> m_threads;        ///< By number of the system.
    std::map<std::uint32_t, SchedulerTimes> m_ended; ///< By index: threads whose number another one has now.
    std::size_t m_threadsSet = 0;
    std::string m_part;      ///< Of a line.
    bool m_skipping = false; ///< The rest of a line that is too long.
    std::optional<LaneId> m_driverLane;
    bool m_hasDriverLane = false;
    std::map<std::pair<std::int32_t, std::string_view>, std::int64_t> m_driverBegun; ///< By thread and event.
    std::uint64_t m_lines = 0;
    std::uint64_t m_damaged = 0;
    std::uint64_t m_lost = 0;
    std::int64_t m_newestNs = 0;
    std::string m_refusal;
    std::string m_contextsRefusal;
    std::vector<TracedGroup> m_groups;
};

} // namespace jetscope
