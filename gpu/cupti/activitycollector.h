// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cupti/recorddecoder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// The buffers into which CUPTI writes records: allocated on demand, reused, at most 256 (4 MiB). Any thread.
class BufferPool {
public:
    static constexpr std::size_t kBufferBytes = 16 * 1024;
    static constexpr std::size_t kMaxBuffers = 256;

    BufferPool();

    /// A buffer of kBufferBytes, aligned to 8 bytes; null if all are in use.
    std::uint8_t *acquire();
    /// False if the buffer is not from this pool or not in use.
    bool release(std::uint8_t *buffer);

private:
    std::mutex m_mutex;
    std::vector<std::unique_ptr<std::uint64_t[]>> m_buffers;
    std::vector<std::uint8_t *> m_free;
    std::vector<std::uint8_t *> m_acquired;
};

/// Receives CUPTI's callbacks. They carry no user pointer, so there is one collector per process, and it is never
/// destroyed because CUPTI's threads may call until the process ends. Between sessions it provides no buffers and drops
/// all records. Any thread.
class ActivityCollector {
public:
    static constexpr std::size_t kMaxPending = 65'536; ///< Activities that wait to be taken.

    static ActivityCollector &instance();

    /// Begins a session; false if another one is active.
    bool begin(const cupti::Api &api);
    /// Ends the session. Later records are dropped.
    void end();

    /// The callbacks to register with CUPTI.
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

    // Never call CUPTI with a lock held: it may hold its own lock while it calls these callbacks.
    mutable std::mutex m_mutex; ///< Guards the session and the pending activities; held only while they are copied.
    bool m_active = false;
    std::uint64_t m_session = 0; ///< Counts sessions.
    cupti::Api m_api;
    std::int64_t m_beganNs = 0;
    std::vector<GpuActivity> m_pending;
    CuptiCounters m_counters;

    std::mutex m_taking; ///< Guards m_newestStart; only one take() at a time. Locked before m_mutex.
    /// Newest start that was returned, by context and stream.
    std::unordered_map<std::uint64_t, std::int64_t> m_newestStart;
};

} // namespace jetscope
