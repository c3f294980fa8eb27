// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace jetscope {

class AttachRecorder;

/// Takes what jetscope-sched writes (a file, a FIFO or a pipe) into the lanes of an inspected program, for the command
/// line and for the window. It never starts jetscope-sched, and waits for it only at the end of the recording. Not
/// thread-safe.
class SchedulerFeed {
public:
    /// A descriptor that this process inherited (/dev/fd/N, as a shell makes it for <(...)) is taken over: it is
    /// closed, so that the feed alone holds the pipe, and no program that is started later.
    static Result<SchedulerFeed> open(const std::string &path);
    SchedulerFeed(SchedulerFeed &&other) noexcept;
    SchedulerFeed &operator=(SchedulerFeed &&) = delete;
    ~SchedulerFeed();

    /// Takes what has come, a few MiB at most. Call behind AttachRecorder::read, so that the threads and frames of the
    /// lines are known. `last`: the recording ends now; waits for the lines of its last moments, for 3 s at most, and
    /// not longer than until `stop` says so.
    void take(AttachRecorder &recorder, bool last, const std::function<bool()> &stop = {});

    /// Why the recording has no lanes of the scheduler so far; empty if it has some.
    std::string refusal(const AttachRecorder &recorder) const;
    const std::string &path() const { return m_path; }

private:
    SchedulerFeed(int file, std::string path) : m_file(file), m_path(std::move(path)) {}
    std::string read();

    int m_file = -1;
    std::string m_path;
    bool m_isPipe = false;
    bool m_began = false; ///< Before the writer has opened a FIFO, its end seems to be reached.
    bool m_ended = false; ///< The writer of a pipe is gone.
};

/// Whether `open` could read this file. It is not opened, because jetscope-sched ends when its reader closes the pipe.
Status checkSchedulerFile(const std::string &path);

} // namespace jetscope
