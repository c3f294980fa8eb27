// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/activitycollector.h"

#include "core/time/clock.h"

#include <algorithm>
#include <tuple>

namespace jetscope {

namespace {

/// CUPTI interpolates between two clocks; a time that is off by more than this belongs to another clock.
constexpr std::int64_t kClockSlackNs = 1'000'000'000;
constexpr std::size_t kMaxCuptiStreams = 4'096;

} // namespace

ActivityCollector &ActivityCollector::instance()
{
    // Never destroyed: CUPTI's threads may call it while the process ends.
    static ActivityCollector *const collector = new ActivityCollector;
    return *collector;
}

bool ActivityCollector::begin(const cupti::Api &api)
{
    const std::scoped_lock lock(m_taking, m_mutex);
    if (m_active)
        return false;
    m_active = true;
    ++m_session;
    m_api = api;
    m_beganNs = nowNs();
    m_counters = {};
    m_pending.clear();
    m_newestStart.clear();
    return true;
}

void ActivityCollector::end()
{
    const std::lock_guard lock(m_mutex);
    m_active = false;
    m_pending.clear();
}

void ActivityCollector::bufferRequested(std::uint8_t **buffer, std::size_t *size, std::size_t *mostRecords)
{
    *mostRecords = 0; // 0: as many as fit.
    instance().acquire(buffer, size);
}

void ActivityCollector::bufferCompleted(void *, std::uint32_t, std::uint8_t *buffer, std::size_t size,
                                        std::size_t validSize)
{
    instance().complete(buffer, size, validSize);
}

std::uint64_t ActivityCollector::timestamp()
{
    return static_cast<std::uint64_t>(nowNs());
}

void ActivityCollector::acquire(std::uint8_t **buffer, std::size_t *size)
{
    const std::lock_guard lock(m_mutex);
    *buffer = m_active ? m_pool.acquire() : nullptr; // Without a buffer CUPTI drops records and counts them.
    *size = *buffer ? BufferPool::kBufferBytes : 0;
}

void ActivityCollector::complete(std::uint8_t *buffer, std::size_t size, std::size_t validSize)
{
    if (!buffer)
        return;
    std::unique_lock lock(m_mutex);
    const bool active = m_active;
    const std::uint64_t session = m_session;
    const cupti::Api api = m_api;
    const std::int64_t earliestNs = std::max(m_beganNs - kClockSlackNs, std::int64_t{1});
    lock.unlock();
    if (active) {
        static thread_local std::vector<GpuActivity> t_activities; // Reuses its memory.
        t_activities.clear();
        CuptiCounters counted;
        std::size_t dropped = 0;
        if (api.getDroppedRecords(nullptr, 0, &dropped) == cupti::kSuccess)
            counted.dropped = dropped;
        const std::size_t valid = std::min({validSize, size, BufferPool::kBufferBytes});
        if (valid > 0)
            m_decoder.decode(api, buffer, valid, {earliestNs, nowNs() + kClockSlackNs}, t_activities, counted);
        publish(session, t_activities, counted);
    }
    m_pool.release(buffer);
}

void ActivityCollector::publish(std::uint64_t session, const std::vector<GpuActivity> &activities,
                                const CuptiCounters &counted)
{
    const std::lock_guard lock(m_mutex);
    if (!m_active || m_session != session)
        return;
    const std::size_t room = kMaxPending - std::min(kMaxPending, m_pending.size());
    const std::size_t kept = std::min(room, activities.size());
    m_pending.insert(m_pending.end(), activities.begin(), activities.begin() + static_cast<std::ptrdiff_t>(kept));
    m_counters.records += kept;
    m_counters.untaken += activities.size() - kept;
    m_counters.dropped += counted.dropped;
    m_counters.untimed += counted.untimed;
    m_counters.negative += counted.negative;
    m_counters.stray += counted.stray;
    m_counters.unknown += counted.unknown;
    m_counters.damaged += counted.damaged;
}

void ActivityCollector::take(std::vector<GpuActivity> &activities)
{
    const std::lock_guard taking(m_taking);
    activities.clear();
    {
        const std::lock_guard lock(m_mutex);
        activities.swap(m_pending);
    }
    const auto key = [](const GpuActivity &activity) {
        return std::tie(activity.deviceId, activity.contextId, activity.streamId, activity.startNs,
                        activity.correlationId);
    };
    std::sort(activities.begin(), activities.end(),
              [&](const GpuActivity &a, const GpuActivity &b) { return key(a) < key(b); });
    countLate(activities);
}

void ActivityCollector::countLate(const std::vector<GpuActivity> &sorted)
{
    std::uint64_t late = 0;
    if (m_newestStart.size() > kMaxCuptiStreams)
        m_newestStart.clear();
    for (std::size_t i = 0; i < sorted.size();) {
        const auto streamOf = [](const GpuActivity &activity) {
            return std::uint64_t{activity.contextId} << 32 | activity.streamId;
        };
        const std::uint64_t stream = streamOf(sorted[i]);
        std::int64_t &newest = m_newestStart[stream];
        const std::int64_t before = newest;
        for (; i < sorted.size() && streamOf(sorted[i]) == stream; ++i) {
            late += sorted[i].startNs < before;
            newest = std::max(newest, sorted[i].startNs);
        }
    }
    if (late == 0)
        return;
    const std::lock_guard lock(m_mutex);
    m_counters.late += late;
}

CuptiCounters ActivityCollector::counters() const
{
    const std::lock_guard lock(m_mutex);
    return m_counters;
}

void ActivityCollector::countFlush(std::int64_t tookNs)
{
    const std::lock_guard lock(m_mutex);
    ++m_counters.flushes;
    m_counters.flushNs += tookNs;
}

BufferPool::BufferPool()
{
    m_buffers.reserve(kMaxBuffers);
    m_free.reserve(kMaxBuffers);
    m_acquired.reserve(kMaxBuffers);
}

std::uint8_t *BufferPool::acquire()
{
    const std::lock_guard lock(m_mutex);
    if (m_free.empty()) {
        if (m_buffers.size() == kMaxBuffers)
            return nullptr;
        m_buffers.push_back(std::make_unique<std::uint64_t[]>(kBufferBytes / sizeof(std::uint64_t)));
        m_free.push_back(reinterpret_cast<std::uint8_t *>(m_buffers.back().get()));
    }
    m_acquired.push_back(m_free.back());
    m_free.pop_back();
    return m_acquired.back();
}

bool BufferPool::release(std::uint8_t *buffer)
{
    const std::lock_guard lock(m_mutex);
    const auto found = std::find(m_acquired.begin(), m_acquired.end(), buffer);
    if (found == m_acquired.end())
        return false;
    *found = m_acquired.back();
    m_acquired.pop_back();
    m_free.push_back(buffer);
    return true;
}

} // namespace jetscope
