// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tracefile/tracefilewriter.h"
#include "gpu/pipeline/pipelinecontrol.h"
#include "gpu/remote/capturefolder.h"
#include "gpu/remote/messages.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace jetscope {

/// Records a pipeline into a capture of the folder, as a window does into a file: every update, whether or not a laptop
/// is there. It ends early, with a sentence, when the disk takes no more; before that when less than kLeastFree is
/// left, which others on a board need. Any thread; `start` and `stop` wait for the disk, all others never do.
class CaptureRecorder {
public:
    static constexpr std::uint64_t kLeastFree = 64 << 20;

    /// The folder must outlive it.
    explicit CaptureRecorder(CaptureFolder &folder, std::uint64_t leastFree = kLeastFree);
    ~CaptureRecorder();
    CaptureRecorder(const CaptureRecorder &) = delete;
    CaptureRecorder &operator=(const CaptureRecorder &) = delete;

    /// Makes the file. `board` is what the laptop calls this machine; may be empty. Nothing is recorded before `begin`.
    Status start(const PipelineStatus &status, const std::string &source, const std::string &board);
    /// What the updates before have told.
    void begin(const TraceHead &head);
    void take(const TraceUpdate &update);
    void take(const ClockMeeting &meeting);
    /// No more updates are for this recording; `stop` must follow.
    void end();
    /// Finishes the file. Without a recording it does nothing.
    void stop();

    bool isOn() const;
    /// The file that is recorded; empty if none is.
    std::string growing() const;
    RecordingState state() const;

private:
    void watch();
    void look();
    std::shared_ptr<TraceFileWriter> taker() const;
    std::string failureText(const std::string &why) const;
    std::string board() const;

    CaptureFolder &m_folder;
    const std::uint64_t m_leastFree;
    std::mutex m_changing;      ///< One `start` or `stop` at a time.
    mutable std::mutex m_mutex; ///< For all below.
    std::condition_variable m_wake;
    std::shared_ptr<TraceFileWriter> m_writer; ///< Null: nothing is recorded.
    bool m_takes = false;                      ///< Updates are for it.
    std::string m_board;
    std::chrono::steady_clock::time_point m_since;
    RecordingState m_state;
    bool m_ends = false;
    std::thread m_thread;
};

} // namespace jetscope
