// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cupti/bufferpool.h"
#include "gpu/cupti/recorddecoder.h"

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// Where CUPTI's callbacks end: they carry no pointer of ours, so there is one for the process, and it lives as long,
/// since CUPTI's threads may call until the very end. Between sessions it lends no buffers and throws away what comes.
/// Any thread.
class ActivityCollector {
public:
    static constexpr std::size_t kMostPending = 65'536; ///< Activities kept until somebody takes them.

    static ActivityCollector &instance();

    /// Begins a session; false while another one lasts.
    bool begin(const cupti::Api &api);
    /// Ends it. What callbacks still bring goes nowhere.
    void end();

    /// What to register with CUPTI.
    static void bufferRequested(std::uint8_t **buffer, std::size_t *size, std::size_t *mostRecords);
    static void bufferCompleted(void *context, std::uint32_t streamId, std::uint8_t *buffer, std::size_t size,
                                std::size_t validSize);
    static std::uint64_t timestamp();

    void take(std::vector<GpuActivity> &activities);
    CuptiCounters counters() const;
    void countFlush(std::int64_t tookNs);

private:
    ActivityCollector() = default;
    void acquire(std::uint8_t **buffer, std::size_t *size);
    void complete(std::uint8_t *buffer, std::size_t size, std::size_t validSize);
    void publish(std::uint64_t session, const std::vector<GpuActivity> &activities, const CuptiCounters &counted);
    void countLate(const std::vector<GpuActivity> &sorted);

    BufferPool m_pool;
    RecordDecoder m_decoder;

    // No lock is held while CUPTI is called: it may hold one of its own while it calls us.
    mutable std::mutex m_mutex; ///< Guards the session and what is handed over; held for as long as a copy takes.
    bool m_active = false;
    std::uint64_t m_session = 0; ///< Counts sessions.
    cupti::Api m_api;
    std::int64_t m_beganNs = 0;
    std::vector<GpuActivity> m_pending;
    CuptiCounters m_counters;

    std::mutex m_taking; ///< Guards the starts of streams: one taker at a time. Taken before m_mutex.
    std::unordered_map<std::uint64_t, std::int64_t> m_newestStart; ///< By context and stream, of what was given out.
};

} // namespace jetscope
