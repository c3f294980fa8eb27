// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/cupti/cuptilibrary.h"
#include "gpu/cupti/gpuactivity.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace jetscope {

/// Records kernels, copies and memsets of this process with hardware times while it exists. One per process, because
/// CUPTI supports one client. May begin before or after a CUDA context is created, and while other threads launch.
///
/// CUPTI returns a buffer when it is full and all work in it has completed, or at a flush. A thread of the session
/// flushes (cuptiActivityFlushAll(0)) every 50 ms, so that results arrive within about 100 ms of the end of the work if
/// the device is idle now and then. CUPTI keeps a buffer until all work in it has completed. So buffers are small (16
/// KiB, about 70 records), and a device that is never idle delivers results once per buffer. The cost of the flushes is
/// counted (CuptiCounters::flushNs); tst_cuptidevice prints it for the GPU of the test machine. Threads: open, destroy
/// and setRecording on one thread; everything else on any thread.
class CuptiSession {
public:
    using Kind = GpuActivity::Kind;

    /// Registers the clock and the buffers, and enables each kind separately. A refused kind is left out; it is an
    /// error only if all kinds are refused. Use a `library` that passed a CuptiTrial.
    static Result<std::unique_ptr<CuptiSession>>
    open(const CuptiLibrary &library, std::chrono::milliseconds flushEvery = std::chrono::milliseconds(50));
    /// Disables recording, fetches the remaining records and drops them; call take() before. CUPTI's callbacks have no
    /// effect afterwards.
    ~CuptiSession();
    CuptiSession(const CuptiSession &) = delete;
    CuptiSession &operator=(const CuptiSession &) = delete;

    /// The reason why a kind is not recorded, as a sentence; empty if it is recorded.
    std::string_view refusal(Kind kind) const { return m_refusals[static_cast<std::size_t>(kind)]; }

    /// Pauses and resumes recording, for example to measure its cost. Records of earlier work still arrive. On return,
    /// launches of every thread are (not) recorded.
    Status setRecording(bool on);

    /// Fetches the records of completed work; records of work that was synchronized before are in the next take().
    /// Blocks while CUPTI processes them, for tens of microseconds to milliseconds; do not call it on a thread that
    /// must not wait.
    Status flush();

    /// The activities since the last call, sorted by device, context, stream and start. Replaces the content and reuses
    /// its memory. Cheap, never waits for CUPTI. Keeps at most 65,536 activities between calls; newer ones are dropped
    /// and counted.
    void take(std::vector<GpuActivity> &activities);

    CuptiCounters counters() const;

private:
    explicit CuptiSession(const CuptiLibrary &library);
    Status enableKinds();
    void flushAtIntervals(std::chrono::milliseconds interval);

    const CuptiLibrary m_library;
    std::array<std::string, 3> m_refusals;
    bool m_enabled = false; ///< CUPTI holds records or buffers of this session.
    std::mutex m_mutex;
    std::condition_variable m_condition;
    bool m_stopping = false;
    std::thread m_flusher;
};

/// CUPTI's id of a CUstream (the same type as cudaStream_t; null is the legacy default stream) in a CUcontext; a null
/// context is the current one of this thread.
Result<std::uint32_t> cuptiStreamId(const CuptiLibrary &library, void *context, void *stream);

} // namespace jetscope
