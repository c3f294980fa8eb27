// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/cameraframes.h"

#include "core/time/clock.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

/// Of a camera that sends nothing but damaged pictures.
constexpr std::size_t kMostToTell = 64;

} // namespace

void CameraFrames::restart()
{
    m_sequence.restart();
    m_unread = 0;
    m_stamps.restart();
    m_rate.restart();
    m_repeats.restart();
    m_driver.restart();
    if (!m_processes) {
        m_processes = BusyProcesses::shared();
        m_driver.setWhoRan([processes = m_processes](std::int64_t sinceNs) { return processes->words(sinceNs); });
    }
    m_leftNs = m_awayNs = 0;
    m_toTell.clear();
}

void CameraFrames::queued(std::size_t buffers)
{
    const std::int64_t ns = nowNs();
    for (std::size_t i = 0; i < buffers; ++i)
        m_driver.queued(ns);
}

void CameraFrames::taken(const FilledBuffer &filled)
{
    const std::int64_t ns = nowNs();
    const bool isOurs = filled.monotonicClock && filled.stampNs > 0 && filled.stampNs <= ns;
    m_driver.taken({filled.sequence, isOurs ? filled.stampNs : ns, ns});
}

void CameraFrames::passedOver(const FilledBuffer &filled)
{
    ++m_unread;
    m_driver.passedOver(filled.sequence, reader());
}

void CameraFrames::damaged(const FilledBuffer &filled, const std::string &why)
{
    ++m_unread;
    m_driver.discarded(filled.sequence, LossCause::Damaged, why);
}

void CameraFrames::enter()
{
    if (m_leftNs != 0)
        m_awayNs += nowNs() - m_leftNs;
    m_leftNs = 0;
}

ReaderTimes CameraFrames::reader()
{
    const std::optional<std::int64_t> ready = m_ready.ns();
    return {m_awayNs, ready.value_or(0) - m_readyNs, ready.has_value()};
}

/// Of a clock that is not said, frames are dated by their arrival until it is found out.
std::int64_t CameraFrames::dated(const FilledBuffer &filled, std::uint64_t index, std::int64_t ns)
{
    if (filled.monotonicClock || filled.stampNs <= 0)
        return m_stamps.captureNs(filled.stampNs, filled.monotonicClock, ns);
    m_dating.add({index, {true, filled.stampNs, ns, filled.clock, filled.edge}});
    const std::optional<std::int64_t> ours = m_dating.ourNs(filled.stampNs);
    return m_stamps.captureNs(ours.value_or(filled.stampNs), ours.has_value(), ns);
}

std::string CameraFrames::complaint() const
{
    const std::string clock = m_dating.clock();
    return clock.empty()
        ? m_stamps.complaint()
        : "the camera's time stamps are of " + clock + ", and are converted: its driver does not say it";
}

CapturedFrame CameraFrames::delivered(const FilledBuffer &filled)
{
    const std::int64_t ns = nowNs();
    CapturedFrame captured;
    captured.index = m_sequence.index(filled.sequence);
    captured.captureNs = dated(filled, captured.index, ns);
    captured.stamp = {filled.stampNs > 0, filled.stampNs, ns, filled.clock, filled.edge};
    const std::uint64_t lost = captured.index > m_lastIndex ? captured.index - m_lastIndex - 1 : 0;
    captured.lost = std::exchange(m_toTell, {});
    const ReaderTimes times = reader();
    const std::vector<LostFrames> told = m_driver.delivered(filled.sequence, captured.index, lost, times);
    captured.lost.insert(captured.lost.end(), told.begin(), told.end());
    m_faults.missed += lost - std::min(lost, m_unread);
    m_faults.oddStamps = m_stamps.replaced();
    m_faults.repeated += m_repeats.isRepeated(filled.sequence, filled.monotonicClock ? filled.stampNs : 0) ? 1 : 0;
    m_lastIndex = captured.index;
    m_unread = 0;
    m_rate.add(captured.captureNs);
    m_leftNs = ns;
    m_awayNs = 0;
    m_readyNs += times.readyNs;
    return captured;
}

void CameraFrames::takeBack(CapturedFrame captured, const std::string &why)
{
    m_toTell = std::move(captured.lost);
    append(m_toTell, {captured.index, 1, LossCause::Damaged, captured.captureNs, why}, kMostToTell);
}

} // namespace jetscope
