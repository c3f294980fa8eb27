// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/nsysspans.h"

#include "core/attach/format/calltable.h"
#include "core/exchange/nsysschema.h"
#include "core/recording/span.h"
#include "core/tracefile/oldlabels.h"

#include <algorithm>
#include <array>
#include <limits>

namespace jetscope {

namespace {

/// Calls of the C library that wait for something: another thread, a file, a time.
constexpr auto kSystemWaits = std::to_array<std::string_view>({"accept",
                                                               "accept4",
                                                               "clock_nanosleep",
                                                               "epoll_pwait",
                                                               "epoll_pwait2",
                                                               "epoll_wait",
                                                               "futex",
                                                               "io_getevents",
                                                               "mq_receive",
                                                               "mq_timedreceive",
                                                               "msgrcv",
                                                               "nanosleep",
                                                               "pause",
                                                               "poll",
                                                               "ppoll",
                                                               "pselect",
                                                               "pselect6",
                                                               "recv",
                                                               "recvfrom",
                                                               "recvmmsg",
                                                               "recvmsg",
                                                               "select",
                                                               "sem_clockwait",
                                                               "sem_timedwait",
                                                               "sem_wait",
                                                               "semop",
                                                               "semtimedop",
                                                               "sigsuspend",
                                                               "sigtimedwait",
                                                               "sigwait",
                                                               "sigwaitinfo",
                                                               "sleep",
                                                               "usleep",
                                                               "wait",
                                                               "wait3",
                                                               "wait4",
                                                               "waitid",
                                                               "waitpid",
                                                               "pthread_join",
                                                               "pthread_timedjoin_np",
                                                               "pthread_clockjoin_np",
                                                               "pthread_barrier_wait",
                                                               "pthread_cond_wait",
                                                               "pthread_cond_timedwait",
                                                               "pthread_cond_clockwait",
                                                               "pthread_mutex_lock",
                                                               "pthread_mutex_timedlock",
                                                               "pthread_mutex_clocklock",
                                                               "pthread_rwlock_rdlock",
                                                               "pthread_rwlock_wrlock",
                                                               "pthread_rwlock_timedrdlock",
                                                               "pthread_rwlock_timedwrlock",
                                                               "pthread_spin_lock"});

constexpr auto kVulkanWaits =
    std::to_array<std::string_view>({"vkWaitForFences", "vkQueueWaitIdle", "vkDeviceWaitIdle", "vkWaitSemaphores",
                                     "vkWaitSemaphoresKHR", "vkWaitForPresentKHR", "vkGetQueryPoolResults"});

template <class Names>
bool isAmong(const Names &names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

Category graphicsCategory(std::string_view name)
{
    if (isAmong(kVulkanWaits, name))
        return Category::WaitSync;
    if (name.starts_with("vkAcquireNextImage"))
        return Category::WaitSlot;
    if (name == "vkQueuePresentKHR" || name.find("SwapBuffers") != std::string_view::npos)
        return Category::Present;
    const auto call = attachCallNamed(name);
    return call ? attachCall(*call)->category : Category::Submit;
}

/// What a call of a thread is on the timeline: a wait, or work of the CPU.
Category nsysCallCategory(NsysUse use, std::string_view name)
{
    switch (use) {
    case NsysUse::Calls:
        return name.find("Synchronize") != std::string_view::npos ? Category::WaitSync : Category::Submit;
    case NsysUse::GraphicsCalls:
        return graphicsCategory(name);
    case NsysUse::SystemCalls:
        return isAmong(kSystemWaits, name) ? Category::WaitInput : Category::CpuStage;
    case NsysUse::LibraryCalls:
        return name.starts_with("MPI_Wait") || name == "MPI_Barrier" ? Category::WaitInput : Category::CpuStage;
    default:
        return Category::Tool;
    }
}

constexpr const char *kTooManyLanes = "there are more than 10000 threads and streams";
constexpr const char *kTooDeep = "they overlap 256 others";

std::string_view syncName(NsysEdges::WaitKind kind)
{
    switch (kind) {
    case NsysEdges::WaitKind::Event:
        return "event wait";
    case NsysEdges::WaitKind::Stream:
        return "stream wait";
    case NsysEdges::WaitKind::Context:
        return "context wait";
    case NsysEdges::WaitKind::StreamForEvent:
        return "stream waits for event";
    case NsysEdges::WaitKind::Nothing:
        return "query";
    case NsysEdges::WaitKind::Unknown:
        break;
    }
    return "synchronization";
}

} // namespace

void NsysSpans::setFrames(const std::vector<FramePeriod> &periods)
{
    m_periods = &periods;
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i)
        m_lanes.each(static_cast<LaneId>(i), [this](TraceSpan &span) { span.frame = frameAt(span.startNs); });
}

void NsysSpans::setRole(const Thread &thread, LaneRole role)
{
    m_roles[thread] = role;
    if (const auto known = m_threadLanes.find(thread); known != m_threadLanes.end() && known->second)
        m_lanes.info(*known->second).role = role;
}

std::uint32_t NsysSpans::frameAt(std::int64_t ns) const
{
    if (!m_periods)
        return kNoFrame;
    const auto after =
        std::upper_bound(m_periods->begin(), m_periods->end(), ns,
                         [](std::int64_t time, const FramePeriod &period) { return time < period.time.startNs; });
    return after != m_periods->begin() && ns < std::prev(after)->time.endNs ? std::prev(after)->frame : kNoFrame;
}

std::string NsysSpans::threadText(const Thread &thread) const
{
    return m_tables.threadName(thread.first, thread.second).value_or("thread " + std::to_string(thread.second));
}

std::optional<LaneId> NsysSpans::threadLane(const Thread &thread)
{
    const auto [place, isNew] = m_threadLanes.try_emplace(thread);
    if (isNew) {
        const auto role = m_roles.find(thread);
        place->second = m_lanes.addLane(role != m_roles.end() ? role->second : LaneRole::CpuStage, threadText(thread),
                                        m_tables.processText(thread.first));
    }
    return place->second;
}

NsysFate NsysSpans::add(std::optional<LaneId> lane, const NsysRow &row, std::string_view name, Category category,
                        std::int64_t frameTime, const char *shownAs)
{
    if (!lane)
        return {nullptr, kTooManyLanes};
    const TraceName spanName =
        m_trace.names().intern(name.empty() ? "unnamed" : name, category, purposeOfLabel(name, category));
    m_tables.nameSpan(spanName);
    m_lanes.add(*lane, {row.time.startNs, row.time.endNs - row.time.startNs, row.bytes, frameAt(frameTime), spanName});
    return {row.hasEnd ? shownAs : kNsysEndless, nullptr};
}

NsysFate NsysSpans::addRange(const NsysRow &row, Category category)
{
    return add(threadLane({row.process, row.thread}), row, row.text, category, row.time.startNs);
}

NsysFate NsysSpans::addCall(NsysUse use, const NsysRow &row)
{
    const std::string_view name = withoutCallVersion(row.text);
    const Category category = nsysCallCategory(use, name);
    const auto lane = threadLane({row.process, row.thread});
    if (lane && use == NsysUse::Calls)
        m_edges.addCall(row, name, *lane);
    if (lane && use == NsysUse::GraphicsCalls) {
        m_graphicsEdges.addCall(row, name, *lane);
        if (category == Category::WaitSync)
            m_graphicsEdges.addWait(row);
    }
    if (m_loops && (use == NsysUse::Calls || use == NsysUse::GraphicsCalls))
        m_loops->add(threadNumber(row), row.text, row.time, m_tables.placeOf(row.callChain), workNumber(row));
    if (use == NsysUse::Calls)
        ++m_callsOfProcess[row.process];
    return add(lane, row, name, category, row.time.startNs, isWait(category) ? "waits" : "spans");
}

std::uint64_t NsysSpans::onlyProcess() const
{
    return m_callsOfProcess.size() == 1 ? m_callsOfProcess.begin()->first : 0;
}

void NsysSpans::setGpu(std::optional<LaneId> lane, const NsysRow &row)
{
    if (lane && row.device >= 0 && row.device <= std::numeric_limits<std::uint32_t>::max())
        m_lanes.info(*lane).gpu = static_cast<std::uint32_t>(row.device);
}

NsysFate NsysSpans::addWork(const NsysRow &row, std::string_view name, Category category)
{
    const auto [place, isNew] = m_streamLanes.try_emplace({row.process, row.device, row.context, row.stream});
    if (isNew) {
        place->second = m_lanes.addLane(
            LaneRole::DeviceStream, "GPU " + std::to_string(row.device) + " stream " + std::to_string(row.stream),
            "context " + std::to_string(row.context) + " of " + m_tables.processText(row.process));
        setGpu(place->second, row);
    }
    // Work belongs to the frame in which it was submitted.
    const NsysEdges::Call *const call = m_edges.callOf(row);
    if (place->second)
        m_edges.addWork(row, *place->second);
    return add(place->second, row, name, category, call ? call->startNs : row.time.startNs);
}

NsysFate NsysSpans::addGraphicsWork(const NsysRow &row)
{
    const auto [place, isNew] = m_graphicsLanes.try_emplace({row.process, row.device, row.context});
    if (isNew) {
        place->second = m_lanes.addLane(
            LaneRole::GlQueue, "GPU " + std::to_string(row.device) + " graphics context " + std::to_string(row.context),
            m_tables.processText(row.process));
        setGpu(place->second, row);
    }
    const NsysEdges::Call *const call = m_graphicsEdges.callOf(row);
    if (place->second)
        m_graphicsEdges.addWork(row, *place->second);
    return add(place->second, row, row.text.empty() ? "graphics" : withoutCallVersion(row.text), Category::Draw,
               call ? call->startNs : row.time.startNs);
}

NsysFate NsysSpans::addRecord(const NsysRow &row)
{
    m_edges.addRecord(row);
    return {"dependencies", nullptr};
}

NsysFate NsysSpans::addSync(const NsysRow &row)
{
    m_edges.addWait(row);
    // The threads' own calls are counted; the synchronization rows are only displayed.
    const auto [place, isNew] = m_factLanes.try_emplace({"CUDA synchronization", m_tables.processText(row.process)});
    if (isNew)
        place->second = m_lanes.addLane(LaneRole::Tool, place->first.first, place->first.second);
    return add(place->second, row, syncName(m_edges.kindOf(row)), Category::WaitSync, row.time.startNs);
}

NsysFate NsysSpans::addFact(const std::string &lane, const std::string &detail, Interval time, std::string_view name)
{
    const auto [place, isNew] = m_factLanes.try_emplace({lane, detail});
    if (isNew)
        place->second = m_lanes.addLane(LaneRole::Tool, lane, detail);
    NsysRow row;
    row.time = time;
    return add(place->second, row, name, Category::Tool, time.startNs);
}

bool NsysSpans::moveTo(Progress &progress, double from, double to)
{
    return m_lanes.moveTo(m_trace, m_noPoints, progress, from, to,
                          [this](const TraceSpan &span) { m_tables.refuseSpan(span.name, kTooDeep); });
}

bool NsysSpans::joinEdges(Progress &progress, double fraction)
{
    std::vector<SpanEdge> edges;
    if (!m_edges.join(edges, progress, fraction) || !m_graphicsEdges.join(edges, progress, fraction))
        return false;
    m_trace.add(edges);
    return true;
}

} // namespace jetscope
