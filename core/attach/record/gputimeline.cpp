// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/gputimeline.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/awaitedwork.h"
#include "core/attach/read/functionname.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace jetscope {

namespace {

constexpr std::size_t kMaxRemembered = 1 << 16; ///< Of a thread, if there are few.
constexpr std::size_t kMaxRememberedOfAll = 1 << 20;
constexpr std::size_t kMaxSubmittingThreads = 4096; ///< At the same time.
constexpr std::int64_t kForgottenAfterNs = 10'000'000'000;
constexpr std::size_t kMaxGpuStreams = 8192;
constexpr std::size_t kMaxCorrelations = 1 << 18;
constexpr std::size_t kMaxWaiting = 1 << 20;
/// CUPTI may deliver the record of a call after that of its work, but not much.
constexpr std::int64_t kLatestLinkNs = 200'000'000;
/// Figures wait for work that runs as long as this; longer kernels arrive late in the figures of a frame.
constexpr std::int64_t kLatestWorkNs = 300'000'000;
/// Of a process that delivers nothing any more.
constexpr std::int64_t kLongestWaitNs = 2'000'000'000;
constexpr std::int64_t kDriverCallSlackNs = 2'000; ///< Two ways to read the same clock.

/// CUpti_ActivityMemcpyKind
constexpr std::array<std::string_view, 11> kCopyNames = {"copy",
                                                         "copy to device",
                                                         "copy to host",
                                                         "copy to array",
                                                         "copy array to host",
                                                         "copy array to array",
                                                         "copy array to device",
                                                         "copy device to array",
                                                         "copy on device",
                                                         "copy on host",
                                                         "copy between devices"};

bool isSubmission(jsa_work work)
{
    return work == JSA_WORK_LAUNCH || work == JSA_WORK_COPY || work == JSA_WORK_COPYASYNC || work == JSA_WORK_SET
        || work == JSA_WORK_SETASYNC;
}

std::uint64_t correlationKey(std::int32_t pid, std::uint32_t correlation)
{
    return std::uint64_t{static_cast<std::uint32_t>(pid)} << 32 | correlation;
}

} // namespace

std::string kernelNameForUsers(const std::string &mangled)
{
    constexpr std::size_t kMaxBytes = 160;
    std::string text(shortText(functionNameForUsers(mangled), kMaxBytes));
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return text.empty() ? "kernel" : text;
}

void GpuTimeline::read(RingReader &reader)
{
    std::vector<AttachGpuWork> work = reader.takeGpuWork();
    const std::optional<std::int64_t> deliveredNs = reader.gpuDeliveredNs();
    if (deliveredNs || !work.empty())
        for (const AttachGpuProcess &process : reader.gpuProcesses())
            if (process.state == JSA_GPU_RECORDING)
                m_withTimes.insert(process.pid);
    m_deliveredNs = deliveredNs;
    const std::vector<std::string> &names = reader.kernelNames();
    m_kernels.insert(m_kernels.end(), names.begin() + static_cast<std::ptrdiff_t>(m_kernels.size()), names.end());
    const auto isUsed = [](const AttachGpuWork &one) { return one.isOnGpu() || one.kind == JSA_GPU_CALL; };
    std::copy_if(work.begin(), work.end(), std::back_inserter(m_waiting), isUsed);
}

void GpuTimeline::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::optional<LaneId> lane)
{
    if (attachCall(event.call)->tier != 'B')
        return;
    if (!m_withTimes.contains(pid)) {
        m_bounds.take(event, pid, tid, m_bounded);
        return;
    }
    m_newestNs = std::max(m_newestNs, event.endNs);
    const bool submits = isSubmission(attachCall(event.call)->work);
    Submitter *const submitter = submitterOf({pid, tid}, submits);
    if (!submitter)
        return;
    submitter->newestNs = event.startNs;
    if (!submits)
        return;
    const Submission submission{event.startNs, event.endNs, m_frameAt(event.startNs), lane,
                                m_model.roleOf(pid, streamOfCall(event, 0, tid))};
    if (event.submission != 0) {
        remember(pid, event.submission, submission);
        return;
    }
    std::deque<Submission> &submissions = submitter->submissions;
    submissions.push_back(submission);
    if (submissions.size() > std::min(kMaxRemembered, kMaxRememberedOfAll / m_submitters.size()))
        submissions.pop_front();
}

/// Null if it is new and must not be, or if there are too many at the same time.
GpuTimeline::Submitter *GpuTimeline::submitterOf(Thread thread, bool mayBeNew)
{
    if (const auto known = m_submitters.find(thread); known != m_submitters.end())
        return &known->second;
    if (!mayBeNew)
        return nullptr;
    if (m_submitters.size() >= kMaxSubmittingThreads)
        std::erase_if(m_submitters,
                      [&](const auto &one) { return one.second.newestNs < m_newestNs - kForgottenAfterNs; });
    return m_submitters.size() < kMaxSubmittingThreads ? &m_submitters[thread] : nullptr;
}

void GpuTimeline::endFrame(std::int64_t ns)
{
    m_bounds.cut(ns, m_bounded);
}

void GpuTimeline::endProcesses(const RingReader &reader)
{
    for (const std::int32_t pid : m_bounds.processes())
        if (reader.hasEnded(pid))
            m_bounds.endProcess(pid, reader.drainedNs(), m_bounded);
}

/// The driver's record lies within the call that the hook saw, the runtime's around it; calls of a thread do not
/// overlap. False if the submission may still come: where not all calls of the thread so far are known (`isComplete`),
/// the newest one is taken only if the middle of the record lies within it, because the next may follow at once.
bool GpuTimeline::link(const AttachGpuWork &call, bool isComplete)
{
    const auto thread = m_submitters.find({call.pid, static_cast<std::int32_t>(call.thread)});
    if (thread == m_submitters.end())
        return isComplete;
    const std::deque<Submission> &submissions = thread->second.submissions;
    const auto after =
        std::upper_bound(submissions.begin(), submissions.end(), call.endNs,
                         [](std::int64_t ns, const Submission &submission) { return ns < submission.startNs; });
    isComplete = isComplete || thread->second.newestNs > call.endNs;
    if (after == submissions.begin() || std::prev(after)->endNs + kDriverCallSlackNs < call.startNs)
        return isComplete;
    const std::int64_t middleNs = call.startNs + (call.endNs - call.startNs) / 2;
    if (!isComplete && (middleNs < std::prev(after)->startNs || middleNs > std::prev(after)->endNs))
        return false;
    remember(call.pid, call.correlation, *std::prev(after));
    return true;
}

void GpuTimeline::remember(std::int32_t pid, std::uint32_t correlation, const Submission &submission)
{
    const std::uint64_t key = correlationKey(pid, correlation);
    if (!m_callOf.insert_or_assign(key, submission).second)
        return;
    m_callOfOrder.push_back(key);
    if (m_callOfOrder.size() > kMaxCorrelations) {
        m_callOf.erase(m_callOfOrder.front());
        m_callOfOrder.pop_front();
    }
}

NameId GpuTimeline::nameOf(const AttachGpuWork &work)
{
    if (work.kind == JSA_GPU_COPY)
        return internName(kCopyNames[work.detail < kCopyNames.size() ? work.detail : 0], Category::Copy);
    if (work.kind == JSA_GPU_SET)
        return internName("memset", Category::Copy);
    while (m_kernelNames.size() < m_kernels.size())
        m_kernelNames.push_back(internName(kernelNameForUsers(m_kernels[m_kernelNames.size()]), Category::Kernel));
    return work.name < m_kernelNames.size() ? m_kernelNames[work.name] : internName("kernel", Category::Kernel);
}

std::optional<LaneId> GpuTimeline::laneOf(const AttachGpuWork &work)
{
    const std::tuple key(work.pid, work.device, work.context, work.stream);
    if (m_lanes.size() >= kMaxGpuStreams && !m_lanes.contains(key))
        return std::nullopt;
    const auto [known, isNew] = m_lanes.try_emplace(key);
    if (isNew)
        known->second = m_newLane("CUDA stream " + std::to_string(work.stream),
                                  "process " + std::to_string(work.pid) + " · GPU " + std::to_string(work.device)
                                      + " · context " + std::to_string(work.context) + " · cupti",
                                  work.device);
    return known->second;
}

std::optional<LaneId> GpuTimeline::laneOf(const BoundedWork &work)
{
    const auto [known, isNew] = m_boundedLanes.try_emplace({work.pid, work.stream});
    if (isNew) // Handles mean nothing to users.
        known->second =
            m_newLane(work.stream == 0 ? "CUDA default stream" : "CUDA stream " + std::to_string(m_boundedLanes.size()),
                      "process " + std::to_string(work.pid) + " · bounds", std::nullopt);
    return known->second;
}

/// False if its call may still become known.
bool GpuTimeline::placeWork(const AttachGpuWork &work, bool isLate, std::vector<Span> &out)
{
    const auto call = m_callOf.find(correlationKey(work.pid, work.correlation));
    if (call == m_callOf.end() && !isLate)
        return false;
    ++(call == m_callOf.end() ? m_unlinked : m_linked);
    if (call != m_callOf.end())
        m_waits.add({work.pid, work.context, work.stream, call->second.role, call->second.frame, call->second.endNs,
                     work.startNs, work.endNs});
    const std::optional<LaneId> lane = laneOf(work);
    if (!lane)
        return true;
    Span span;
    span.startNs = work.startNs;
    span.durationNs = work.endNs - work.startNs;
    span.frame = call == m_callOf.end() ? m_frameAt(work.startNs) : call->second.frame;
    if (work.kind == JSA_GPU_COPY)
        span.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(work.bytes, UINT32_MAX));
    span.name = nameOf(work);
    span.lane = *lane;
    out.push_back(span);
    if (call != m_callOf.end() && call->second.lane)
        m_edges.push_back({call->second.startNs, span.startNs, *call->second.lane, span.lane});
    return true;
}

void GpuTimeline::placeBounded(std::vector<Span> &out)
{
    for (const BoundedWork &work : std::exchange(m_bounded, {})) {
        const std::optional<LaneId> lane = laneOf(work);
        m_hasBounds = true;
        if (!lane)
            continue;
        Span span;
        span.startNs = work.time.startNs;
        span.durationNs = work.time.endNs - work.time.startNs;
        span.frame = m_frameAt(work.time.startNs);
        span.name = internName("work of the stream", Category::Kernel, Certainty::Bounded);
        span.lane = *lane;
        out.push_back(span);
    }
}

void GpuTimeline::placeUntil(std::int64_t untilNs, std::vector<Span> &out)
{
    placeBounded(out);
    std::erase_if(m_waiting, [&](const AttachGpuWork &work) {
        return work.kind == JSA_GPU_CALL && work.endNs < untilNs && link(work, true);
    });
    std::erase_if(m_waiting, [&](const AttachGpuWork &work) {
        return work.isOnGpu() && work.startNs < untilNs && placeWork(work, false, out);
    });
}

void GpuTimeline::place(std::int64_t completeNs, bool all, std::vector<Span> &out)
{
    placeBounded(out);
    // While a call is open, `completeNs` stands still.
    const std::int64_t lateNs = m_deliveredNs.value_or(std::max(completeNs, m_newestNs)) - kLatestLinkNs;
    const bool tooMany = m_waiting.size() > kMaxWaiting;
    const std::int64_t knownNs = std::max(completeNs, lateNs);
    std::erase_if(m_waiting, [&](const AttachGpuWork &work) {
        return work.kind == JSA_GPU_CALL && link(work, all || tooMany || work.endNs < knownNs);
    });
    std::erase_if(m_waiting, [&](const AttachGpuWork &work) {
        return work.isOnGpu() && placeWork(work, all || tooMany || work.startNs < lateNs, out);
    });
    m_waits.settle(all ? std::numeric_limits<std::int64_t>::max() : lateNs - kLatestWorkNs);
}

std::int64_t GpuTimeline::settledNs(std::int64_t completeNs) const
{
    if (m_withTimes.empty() || !m_deliveredNs)
        return completeNs;
    return std::max(std::min(completeNs, *m_deliveredNs - kLatestWorkNs), completeNs - kLongestWaitNs);
}

} // namespace jetscope
