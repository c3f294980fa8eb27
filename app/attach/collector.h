// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/attach/recordingswitch.h"
#include "app/commandline/options.h"
#include "app/commandline/recordingwatch.h"
#include "core/attach/record/attachrecorder.h"
#include "gpu/attach/host/attachedprogram.h"
#include "gpu/attach/host/leftprocesses.h"
#include "gpu/attach/host/schedulerfeed.h"

#include <optional>
#include <string>
#include <vector>

namespace jetscope {

class TraceFileWriter;

/// What `jetscope attach` reads from and writes to.
struct CollectorParts {
    AttachMemory &memory;
    RingReader &reader;
    AttachRecorder &recorder;
    std::optional<SchedulerFeed> &scheduler;
    const RecordingSwitch &wanted;
    TraceFileWriter *writer; ///< Null: no capture.
};

/// Reads the rings of the program of `jetscope attach` until there is nothing more to record, or enough. Not
/// thread-safe.
class Collector {
public:
    /// Before the program starts. `options` outlives it.
    Collector(const Options &options, const CollectorParts &parts);

    /// Returns when the recording has ended; the program may go on.
    void run(AttachedProgram &program);
    /// CPU time that this took, in cores.
    double cores() const { return m_cores; }
    /// What a user has to know about how it ended.
    std::vector<std::string> notes() const;
    /// What it told the user about the capture.
    RecordingWatch &recordingWatch() { return m_watch; }

private:
    void setRecording(const RecordingSwitch::State &wanted);
    bool isOver(AttachedProgram &program);
    bool isEnough() const;

    const Options &m_options;
    CollectorParts m_parts;
    LeftProcesses m_left;
    RecordingWatch m_watch;
    bool m_recording = true;
    std::int64_t m_readNs = 0;     ///< Of the last reading.
    std::int64_t m_recordedNs = 0; ///< How long calls were recorded,
    std::int64_t m_pausedNs = 0;   ///< and how long they were not, on purpose.
    double m_cores = 0;
};

} // namespace jetscope
