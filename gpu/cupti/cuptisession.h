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

/// Records kernels, copies and memsets of this process with the hardware's times while it lives. One per process: CUPTI
/// knows one user only. May begin before or after a CUDA context was made, and while other threads launch.
///
/// Records come when CUPTI gives a buffer back: when it is full and all work in it has ended, or at a flush. A thread
/// of the session's flushes (cuptiActivityFlushAll(0)) every 50 ms, so that results come within about 100 ms of the
/// work's end where the device has an idle moment now and then. CUPTI keeps a buffer back until all work in it has
/// ended, so buffers are small (16 KiB, some 70 records), and a device that is never idle delivers every so many
/// records. What flushes cost is counted (CuptiCounters::flushNs); tst_cuptidevice prints it for the GPU it runs on.
/// Threads: open, destroy and setRecording on one thread; everything else on any.
class CuptiSession {
public:
    using Kind = GpuActivity::Kind;

    /// Registers our clock and buffers, and enables each kind by itself; a kind that is refused is left out, and an
    /// error only if all are. `library` should be one that a CuptiTrial found usable.
    static Result<std::unique_ptr<CuptiSession>>
    open(const CuptiLibrary &library, std::chrono::milliseconds flushEvery = std::chrono::milliseconds(50));
    /// Disables, fetches what CUPTI still has and drops it: take() before. CUPTI's callbacks have no effect afterwards.
    ~CuptiSession();
    CuptiSession(const CuptiSession &) = delete;
    CuptiSession &operator=(const CuptiSession &) = delete;

    /// Why a kind is not recorded, in a sentence; empty when it is.
    std::string_view refusal(Kind kind) const { return m_refusals[static_cast<std::size_t>(kind)]; }

    /// Stops and resumes recording, as for a look at what recording costs. Work that was asked for before still comes.
    /// On return launches of every thread are (not) recorded.
    Status setRecording(bool on);

    /// Fetches what has ended by now: the records of work that was synchronised before are in the next take(). Blocks
    /// while CUPTI works on it, tens of microseconds to milliseconds: not for a thread that must not wait.
    Status flush();

    /// What came since the last call, in the order of device, context, stream and start. Replaces the content; its
    /// memory is used again. Cheap, never waits for CUPTI. At most 65,536 are kept until they are taken; then the
    /// newest are left out and counted.
    void take(std::vector<GpuActivity> &activities);

    CuptiCounters counters() const;

    /// CUPTI's number of a CUstream (or cudaStream_t, the same; null is the legacy default stream) in a CUcontext, null
    /// for the one that is current on this thread.
    Result<std::uint32_t> streamId(void *context, void *stream) const;

private:
    explicit CuptiSession(const CuptiLibrary &library);
    Status enableKinds();
    void flushAtIntervals(std::chrono::milliseconds interval);

    const CuptiLibrary m_library;
    std::array<std::string, 3> m_refusals;
    bool m_enabled = false; ///< CUPTI has records or buffers of ours.
    std::mutex m_mutex;
    std::condition_variable m_condition;
    bool m_stopping = false;
    std::thread m_flusher;
};

/// CuptiSession::streamId, which needs no session.
Result<std::uint32_t> cuptiStreamId(const CuptiLibrary &library, void *context, void *stream);

} // namespace jetscope
