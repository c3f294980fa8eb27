// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gputime/gputimer.h"

#include "core/recording/tracer.h"
#include "gpu/gputime/sources.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jetscope {

namespace {

constexpr std::array kBestFirst = {GpuTime::Cupti, GpuTime::Stamped, GpuTime::Bounds};
/// A few seconds of kernels at the highest rates; results are fetched every few frames.
constexpr std::size_t kStampSlots = 4096;

struct Chosen {
    std::unique_ptr<GpuTimeSource> source;
    std::string reason;
};

/// The best working source, and the reason why a better one does not work.
Chosen bestSource(Device &device)
{
    std::string why;
    for (const GpuTime kind : kBestFirst) {
        Result<std::unique_ptr<GpuTimeSource>> source = createGpuTimeSource(kind, device);
        if (source.ok())
            return {std::move(source).value(), std::move(why)};
        why += (why.empty() ? "" : "; ") + std::string(nameOf(kind)) + ": " + source.error().message();
    }
    return {newBounds(), std::move(why)};
}

} // namespace

Result<std::unique_ptr<GpuTimeSource>> createGpuTimeSource(GpuTime kind, Device &device)
{
    const DeviceFacts &facts = device.facts();
    switch (kind) {
    case GpuTime::Cupti:
        if (!facts.cupti.available)
            return Error{"", 0, facts.cupti.reason};
        return newCuptiTimes(device);
    case GpuTime::Stamped: {
        if (!facts.kernelStamps.available)
            return Error{"", 0, facts.kernelStamps.reason};
        if (facts.software)
            return newEventPairs(GpuTime::Stamped, device);
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<KernelStamps> stamps, device.createStamps(kStampSlots));
        return newStampedTimes(std::move(stamps));
    }
    case GpuTime::Events:
        return newEventPairs(GpuTime::Events, device);
    case GpuTime::Auto:
    case GpuTime::Bounds:
        break;
    }
    return newBounds();
}

GpuTimer::GpuTimer(Device &device, Tracer &tracer) : m_device(device), m_tracer(tracer), m_source(newBounds()) {}

GpuTimer::~GpuTimer() = default;

Status GpuTimer::use(GpuTime wanted)
{
    JETSCOPE_TRY(finish());
    // Destroy the current source first, because some kinds can exist only once.
    const GpuTime former = m_source->kind();
    m_source = newBounds();
    if (wanted == GpuTime::Auto) {
        Chosen chosen = bestSource(m_device);
        m_source = std::move(chosen.source);
        m_reason = std::move(chosen.reason);
    } else {
        Result<std::unique_ptr<GpuTimeSource>> source = createGpuTimeSource(wanted, m_device);
        if (!source.ok()) {
            if (Result<std::unique_ptr<GpuTimeSource>> same = createGpuTimeSource(former, m_device); same.ok())
                m_source = std::move(same).value();
            return source.error();
        }
        m_source = std::move(source).value();
        m_reason.clear();
    }
    for (StreamLane &lane : m_lanes) {
        lane.work.reset();
        m_source->addStream(*lane.stream);
    }
    return {};
}

void GpuTimer::addStream(Stream &stream, int number)
{
    m_lanes.push_back({&stream, number, std::nullopt});
    m_source->addStream(stream);
}

void GpuTimer::removeStream(const Stream &stream)
{
    if (m_open.stream == &stream)
        abandon();
    m_source->removeStream(stream);
    for (StreamLane &lane : m_lanes)
        if (lane.stream == &stream) {
            lane.stream = nullptr;
            if (lane.work)
                lane.work->completedAll(nowNs()); // No frame will say so.
        }
}

/// A lane's name contains the source of its times, so each source has its own lane.
LaneId GpuTimer::laneOf(int number)
{
    const bool emulated = m_device.facts().software;
    const char *const atLeast = m_source->unseenNs() > 0 ? ", at least" : "";
    return m_tracer.lane(LaneRole::DeviceStream, "CUDA stream " + std::to_string(number),
                         (emulated ? "software iGPU · " : "GPU · ") + std::string(nameOf(m_source->kind())) + atLeast,
                         emulated);
}

Status GpuTimer::begin(Stream &stream, NameId name, std::uint32_t frame)
{
    GpuItem item;
    item.name = name;
    item.frame = frame;
    return begin(stream, item);
}

Status GpuTimer::beginCopy(Stream &stream, NameId name, std::uint32_t frame, std::uint64_t bytes, CopyKind kind)
{
    GpuItem item;
    item.name = name;
    item.frame = frame;
    item.bytes = bytes;
    item.copy = kind;
    return begin(stream, item);
}

Status GpuTimer::beginWhole(Stream &stream, NameId name, std::uint32_t frame)
{
    m_isWhole = false; // One whose work failed need not end.
    const Status begun = begin(stream, name, frame);
    m_isWhole = true;
    return begun;
}

/// Of kernels that a source would have to see one by one, none can tell what the graph holds.
Status GpuTimer::endWhole()
{
    m_isWhole = false;
    if (m_open.stream && m_source->timesKernels())
        unknownKernels(m_open.item.name);
    return end();
}

Status GpuTimer::begin(Stream &stream, const GpuItem &item)
{
    if (m_isWhole)
        return {};
    abandon();
    if (!m_tracer.isRecording())
        return {};
    const auto lane =
        std::find_if(m_lanes.begin(), m_lanes.end(), [&](const StreamLane &l) { return l.stream == &stream; });
    if (lane == m_lanes.end())
        return {}; // Work of set-up and probes has no lane.
    if (!lane->work)
        lane->work.emplace(laneOf(lane->number), m_source->unseenNs());
    m_open.stream = &stream;
    m_open.lane = &*lane;
    m_open.item = item;
    m_open.item.submitNs = nowNs();
    if (m_source->timesKernels())
        return {};
    return m_source->begin(stream, submit(item.name));
}

/// If a piece is open, its submission has failed, so that nothing ends it.
void GpuTimer::abandon()
{
    if (m_open.pending)
        m_source->abandon(*m_open.pending);
    m_open = OpenWork();
}

GpuItem &GpuTimer::submit(NameId name)
{
    GpuItem item = m_open.item;
    item.name = name;
    m_open.pending = &m_open.lane->work->push(item);
    m_open.hasItems = true;
    return *m_open.pending;
}

void *GpuTimer::kernel(NameId name)
{
    if (!m_source->timesKernels())
        return nullptr;
    static_cast<void>(endItem());
    // The purpose of the work is a better name than the kernel, except for filters.
    GpuItem &item = submit(spanCategory(m_open.item.name) == Category::Kernel ? name : m_open.item.name);
    item.isKernel = true;
    return m_source->kernel(*m_open.stream, item);
}

void GpuTimer::copy(NameId name, std::uint64_t bytes)
{
    if (!m_source->timesKernels())
        return;
    static_cast<void>(endItem());
    static_cast<void>(submitCopy(name, bytes));
}

/// Behind unknown work a copy is left untimed: a record of its size and direction may be of that work.
Status GpuTimer::submitCopy(NameId name, std::uint64_t bytes)
{
    const bool mayBeTimed = !m_open.lane->work->mayRunUnknown();
    GpuItem &item = submit(name);
    item.bytes = bytes;
    if (mayBeTimed)
        return m_source->begin(*m_open.stream, item);
    leaveUntimed(item);
    return {};
}

/// The source never hears of it.
void GpuTimer::leaveUntimed(GpuItem &item)
{
    item.state = GpuItem::State::Untimed;
    m_open.pending = nullptr;
}

void GpuTimer::unknownKernels(NameId name)
{
    if (!m_source->timesKernels())
        return;
    static_cast<void>(endItem());
    GpuItem &item = submit(name);
    item.isKernel = true;
    item.isUnknown = true;
    leaveUntimed(item);
}

Status GpuTimer::endItem()
{
    GpuItem *const item = std::exchange(m_open.pending, nullptr);
    return item ? m_source->end(*m_open.stream, *item) : Status();
}

Status GpuTimer::end()
{
    if (!m_open.stream || m_isWhole)
        return {};
    if (!m_open.hasItems)
        JETSCOPE_TRY(submitCopy(m_open.item.name, m_open.item.bytes));
    const Status ended = endItem();
    m_open = OpenWork();
    return ended;
}

void GpuTimer::completed(std::uint32_t frame, std::int64_t ns)
{
    for (StreamLane &lane : m_lanes)
        if (lane.work)
            lane.work->completed(frame, ns);
}

void GpuTimer::recordSpans()
{
    m_spans.clear();
    for (StreamLane &lane : m_lanes)
        if (lane.work)
            lane.work->takeSpans(m_spans);
    m_lanes.remove_if([](const StreamLane &lane) { return !lane.stream && (!lane.work || lane.work->empty()); });
    if (ThreadRecorder *recorder = ThreadRecorder::current())
        for (const Span &span : m_spans)
            recorder->record(span);
}

Status GpuTimer::collect()
{
    // After this time only newly submitted and pending work can be missing below.
    std::int64_t resolvedNs = nowNs();
    JETSCOPE_TRY(m_source->collect());
    recordSpans();
    for (const StreamLane &lane : m_lanes)
        if (lane.work)
            resolvedNs = std::min(resolvedNs, lane.work->nothingBeforeNs());
    m_resolvedNs = std::max(m_resolvedNs, resolvedNs);
    return {};
}

Status GpuTimer::finish()
{
    abandon();
    const std::int64_t resolvedNs = nowNs();
    Status finished = m_source->finish();
    for (StreamLane &lane : m_lanes) {
        if (!lane.work)
            continue;
        lane.work->giveUp();
        lane.work->completedAll(resolvedNs);
    }
    recordSpans();
    m_resolvedNs = std::max(m_resolvedNs, resolvedNs);
    return finished;
}

} // namespace jetscope
