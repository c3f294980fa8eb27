// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/cuptisession.h"

#include "core/time/clock.h"
#include "gpu/cupti/activitycollector.h"
#include "gpu/cupti/driverapi.h"

namespace jetscope {

namespace {

struct RecordedKind {
    GpuActivity::Kind kind;
    cupti::ActivityKind number;
    const char *name;
};

constexpr RecordedKind kRecordedKinds[] = {
    {GpuActivity::Kind::Kernel, cupti::kConcurrentKernel, "kernels"},
    {GpuActivity::Kind::Memcpy, cupti::kMemcpy, "copies"},
    {GpuActivity::Kind::Memset, cupti::kMemset, "memsets"},
};

} // namespace

Result<std::unique_ptr<CuptiSession>> CuptiSession::open(const CuptiLibrary &library,
                                                         std::chrono::milliseconds flushEvery)
{
    if (!ActivityCollector::instance().begin(library.api()))
        return sentence("a CUPTI session of this process is open already; close it first");
    std::unique_ptr<CuptiSession> session(new CuptiSession(library));
    const cupti::Api &api = library.api();
    // Register the clock first: records of kinds that were enabled before keep CUPTI's clock.
    if (const auto code = api.registerTimestampCallback(ActivityCollector::timestamp); code != cupti::kSuccess)
        return cuptiFailure(api, "cuptiActivityRegisterTimestampCallback", code);
    if (const auto code = api.registerCallbacks(ActivityCollector::bufferRequested, ActivityCollector::bufferCompleted);
        code != cupti::kSuccess)
        return cuptiFailure(api, "cuptiActivityRegisterCallbacks", code);
    JETSCOPE_TRY(session->enableKinds());
    session->m_flusher = std::thread([raw = session.get(), flushEvery] { raw->flushAtIntervals(flushEvery); });
    return session;
}

CuptiSession::CuptiSession(const CuptiLibrary &library) : m_library(library) {}

CuptiSession::~CuptiSession()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_condition.notify_all();
    if (m_flusher.joinable())
        m_flusher.join();
    if (m_enabled) {
        static_cast<void>(setRecording(false));
        // Forced: also returns buffers whose work has not completed.
        m_library.api().flushAll(cupti::kFlushForced);
    }
    ActivityCollector::instance().end();
}

Status CuptiSession::enableKinds()
{
    Status firstRefusal;
    for (const RecordedKind &kind : kRecordedKinds) {
        const cupti::ResultCode code = m_library.api().enable(kind.number);
        if (code == cupti::kSuccess) {
            m_enabled = true;
            continue;
        }
        const Error error = cuptiFailure(m_library.api(), "cuptiActivityEnable", code);
        m_refusals[static_cast<std::size_t>(kind.kind)] = error.text;
        if (firstRefusal.ok())
            firstRefusal = error;
    }
    return m_enabled ? Status() : firstRefusal;
}

Status CuptiSession::setRecording(bool on)
{
    Status status;
    const cupti::Api &api = m_library.api();
    for (const RecordedKind &kind : kRecordedKinds) {
        if (!refusal(kind.kind).empty())
            continue;
        const cupti::ResultCode code = on ? api.enable(kind.number) : api.disable(kind.number);
        if (code != cupti::kSuccess && status.ok())
            status = cuptiFailure(api, on ? "cuptiActivityEnable" : "cuptiActivityDisable", code);
    }
    return status;
}

Status CuptiSession::flush()
{
    const cupti::ResultCode code = m_library.api().flushAll(0);
    return code == cupti::kSuccess ? Status() : Status(cuptiFailure(m_library.api(), "cuptiActivityFlushAll", code));
}

void CuptiSession::flushAtIntervals(std::chrono::milliseconds interval)
{
    std::unique_lock lock(m_mutex);
    while (!m_condition.wait_for(lock, interval, [this] { return m_stopping; })) {
        lock.unlock();
        const std::int64_t beganNs = nowNs();
        m_library.api().flushAll(0);
        ActivityCollector::instance().countFlush(nowNs() - beganNs);
        lock.lock();
    }
}

void CuptiSession::take(std::vector<GpuActivity> &activities)
{
    ActivityCollector::instance().take(activities);
}

CuptiCounters CuptiSession::counters() const
{
    return ActivityCollector::instance().counters();
}

Result<std::uint32_t> cuptiStreamId(const CuptiLibrary &library, void *context, void *stream)
{
    if (!context)
        context = currentCudaContext();
    if (!context)
        return sentence("no CUDA context is current on this thread, so a stream has no number there; name the context");
    constexpr std::uint8_t kLegacyDefaultStream = 0;
    std::uint32_t id = 0;
    const cupti::ResultCode code = library.api().getStreamId(context, stream, kLegacyDefaultStream, &id);
    if (code != cupti::kSuccess)
        return cuptiFailure(library.api(), "cuptiGetStreamIdEx", code);
    return id;
}

} // namespace jetscope
