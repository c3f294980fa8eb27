// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/attach/recordingswitch.h"
#include "app/commandline/options.h"
#include "app/commandline/recordingwatch.h"
#include "gpu/attach/host/programrecording.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// Records the program of `jetscope attach` until there is nothing more to record, or enough. Not thread-safe.
class Collector {
public:
    /// Before the program starts. All outlive it; without `writer` there is no capture.
    Collector(const Options &options, const RecordingSwitch &wanted, ProgramRecording &program,
              TraceFileWriter *writer);

    /// Returns when the recording has ended; the program may go on.
    void run();
    /// CPU time that this took, in cores.
    double cores() const { return m_cores; }
    /// How long calls were not recorded, as was asked for; empty if they always were.
    std::string pauseNote() const;
    /// What it told the user about the capture.
    RecordingWatch &recordingWatch() { return m_watch; }

private:
    void turnSwitch();
    bool isEnough() const;

    const Options &m_options;
    const RecordingSwitch &m_wanted;
    ProgramRecording &m_program;
    TraceFileWriter *m_writer;
    RecordingWatch m_watch;
    std::int64_t m_recordedNs = 0; ///< How long calls were recorded,
    std::int64_t m_pausedNs = 0;   ///< and how long they were not, on purpose.
    double m_cores = 0;
};

} // namespace jetscope
