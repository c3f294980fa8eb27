// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/record/attachrecorder.h"
#include "core/result.h"
#include "core/stream/traceupdate.h"
#include "gpu/attach/host/attachedprogram.h"
#include "gpu/attach/host/callsites.h"
#include "gpu/attach/host/hardwaretimes.h"
#include "gpu/attach/host/leftprocesses.h"
#include "gpu/attach/host/schedulerfeed.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Which program is recorded, and what of it.
struct RecordingWish {
    ProgramStart program; ///< But for its memory.
    FrameWish frames;
    std::optional<std::string> scheduler{}; ///< The file or pipe that jetscope-sched writes.
    bool onlyProgram = false;               ///< Nothing of the programs that it starts.
    bool watchReads = false;                ///< The CPU's accesses to results of asynchronous copies, too.
};

/// What the kernel's scheduler and drivers have told so far, through jetscope-sched.
struct SchedulerState {
    std::string path;
    std::string refusal; ///< Why there are no lanes so far; empty if there are.
    std::string command; ///< That which starts jetscope-sched, for the user to run; empty once lines have come.
    std::uint64_t lines = 0;
    std::uint64_t lost = 0; ///< How often the kernel has lost lines.
    std::uint64_t damaged = 0;
    std::vector<TracedGroup> groups; ///< Which events the kernel has; empty if nothing told.
    std::vector<EngineWork> engines;
    std::vector<ContextTimes> contexts; ///< Of the GPU.
    std::int64_t switchingNs = 0;       ///< Between contexts.
    std::uint64_t contextsLost = 0;     ///< Moments of their switches.
    std::string contextsRefusal;        ///< Why nothing is told of them.
};

/// A program and the recording of its calls, for the command line and the window, which call it again and again:
/// nothing happens in between. Not thread-safe.
class ProgramRecording {
public:
    /// Opens what it reads from: call before the capture is made. The program does not run yet.
    static Result<std::unique_ptr<ProgramRecording>> create(RecordingWish wish);
    ProgramRecording(const ProgramRecording &) = delete; // Parts of it refer to it.
    ProgramRecording &operator=(const ProgramRecording &) = delete;

    /// `hardware`: from planHardwareTimes.
    Status start(HardwareTimes hardware);

    // A turn: these in this order, until `take` was told that it is the last one.
    /// A moment, unless a ring fills quickly.
    void await() const;
    /// Whether calls that end from `ns` on are recorded. Returns whether it was otherwise before.
    bool setRecording(bool on, std::int64_t ns);
    /// Whether the program and what it left have ended. `waitForCalls`: without limit; else until no call is made any
    /// more (LeftProcesses).
    bool isOver(bool waitForCalls);
    /// What has come since the last turn. `last`: nothing follows, and the program's calls only pass through from now
    /// on; waits for the lines of the kernel's last moments, not longer than until `stop` says so.
    TraceUpdate take(bool last, const std::function<bool()> &stop = {});
    /// Call behind the last turn: jetscope-sched ends, although the program may go on.
    void closeScheduler() { m_scheduler.reset(); }

    bool isRecording() const { return m_recording; }
    /// Once the program was started.
    std::optional<ProgramEnd> ended() { return m_program->ended(); }
    /// To a program that is apart, or to what it has left.
    void signal(int number);
    int output() const { return m_program->output(); }
    /// What it left, as a look tells.
    bool leftNothing() { return m_left.find(m_reader).empty(); }
    const LeftProcesses &left() const { return m_left; }

    const AttachRecorder &recorder() const { return m_recorder; }
    const RingReader &reader() const { return m_reader; }
    HardwareReport hardware() const;
    /// Empty if it was not asked for.
    std::optional<SchedulerState> scheduler() const;
    /// How the trace is made, as rows of a capture.
    std::vector<TraceFact> facts() const;
    /// Of the thread that calls the functions above.
    CallSites &placeNames() { return m_placeNames; }

private:
    ProgramRecording(RecordingWish wish, AttachMemory memory, std::optional<SchedulerFeed> scheduler);

    AttachMemory m_memory;
    ProgramStart m_start;
    HardwareTimes m_hardware;
    std::optional<SchedulerFeed> m_scheduler; ///< Until the recording has ended.
    RingReader m_reader;                      ///< Made before the program starts: older records are impossible.
    LeftProcesses m_left;
    CallSites m_placeNames;
    AttachRecorder m_recorder;
    bool m_recording = true;
    std::unique_ptr<AttachedProgram> m_program;
};

/// The words of a command line in one text.
std::string commandLineOf(const std::vector<std::string> &words);
/// The name of the devices of inspected programs, which are not known.
inline constexpr const char *kInspectedDevice = "the devices of an inspected program";

} // namespace jetscope
