// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/framepacer.h"

#include "core/recording/tracer.h"

#include <cmath>

namespace jetscope {

FrameSchedule::FrameSchedule(double fps, std::optional<std::chrono::nanoseconds> phase) : m_fps(fps), m_phase(phase) {}

FrameSchedule::Time FrameSchedule::next(Time now)
{
    if (m_count == 0 || now > dueAt(m_count) + kCatchUp) {
        m_origin = originAt(now);
        m_count = 0;
    }
    return dueAt(m_count++);
}

/// The next deadline from now on.
FrameSchedule::Time FrameSchedule::originAt(Time now) const
{
    if (!m_phase)
        return now;
    const long double periodNs = 1e9L / m_fps;
    const auto sinceNs = static_cast<long double>((now.time_since_epoch() - *m_phase).count());
    const auto dueNs = static_cast<std::int64_t>(std::ceil(sinceNs / periodNs) * periodNs);
    return Time(std::chrono::nanoseconds(dueNs) + *m_phase);
}

FrameSchedule::Time FrameSchedule::dueAt(std::uint64_t count) const
{
    const std::chrono::duration<double> since(static_cast<double>(count) / m_fps);
    return m_origin + std::chrono::duration_cast<Time::duration>(since);
}

FramePacer::FramePacer(double fps, std::optional<std::chrono::nanoseconds> phase)
    : m_paced(fps > 0), m_schedule(fps, phase)
{
}

bool FramePacer::wait()
{
    std::unique_lock lock(m_mutex);
    if (!m_paced || m_cancelled)
        return !m_cancelled;
    static const NameId kWait = internName("wait for the next frame", Category::WaitInput, Purpose::Input);
    const SpanScope span(kWait);
    const FrameSchedule::Time due = m_schedule.next(std::chrono::steady_clock::now());
    return !m_wake.wait_until(lock, due, [this] { return m_cancelled; });
}

void FramePacer::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_cancelled = true;
    m_wake.notify_all();
}

bool FramePacer::cancelled() const
{
    const std::lock_guard lock(m_mutex);
    return m_cancelled;
}

} // namespace jetscope
