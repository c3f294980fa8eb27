// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/devicetimeline.h"

#include "core/tracer.h"

#include <algorithm>
#include <cassert>

namespace jetscope {

namespace {

constexpr std::int64_t kAnchorAgeNs = 1'000'000'000;
/// How long a renewal may look for its event. An idle stream completes within microseconds; when it does not, the old
/// anchor serves on and the next collection tries again.
constexpr std::int64_t kAnchorPatienceNs = 200'000;

std::uint32_t saturated(std::uint64_t bytes)
{
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, UINT32_MAX));
}

} // namespace

DeviceTimeline::DeviceTimeline(Device &device, Tracer &tracer) : m_device(device), m_tracer(tracer) {}

Result<std::unique_ptr<DeviceTimeline>> DeviceTimeline::create(Device &device, Tracer &tracer)
{
    std::unique_ptr<DeviceTimeline> timeline(new DeviceTimeline(device, tracer));
    Result<std::unique_ptr<Stream>> stream = device.createStream();
    if (!stream.ok())
        return stream.error();
    timeline->m_anchorStream = std::move(stream).value();
    // Without a first anchor there is no axis, so this one may wait as long as it takes.
    while (!timeline->m_anchor)
        JETSCOPE_TRY(timeline->renewAnchor());
    return timeline;
}

void DeviceTimeline::addStream(const Stream &stream, int number)
{
    const char *detail = m_device.facts().software ? "software iGPU · events" : "GPU · events";
    m_lanes[&stream].lane = m_tracer.lane(LaneRole::DeviceStream, "CUDA stream " + std::to_string(number), detail);
}

void DeviceTimeline::removeStream(const Stream &stream)
{
    m_lanes.erase(&stream);
}

Result<std::unique_ptr<Event>> DeviceTimeline::takeEvent()
{
    if (m_freeEvents.empty())
        return m_device.createEvent(Device::Timing::On);
    std::unique_ptr<Event> event = std::move(m_freeEvents.back());
    m_freeEvents.pop_back();
    return event;
}

Status DeviceTimeline::begin(Stream &stream, NameId name, std::uint32_t frame, std::uint64_t bytes)
{
    if (!m_tracer.isRecording())
        return {};
    Result<std::unique_ptr<Event>> begin = takeEvent();
    if (!begin.ok())
        return begin.error();
    Result<std::unique_ptr<Event>> end = takeEvent();
    if (!end.ok())
        return end.error();
    JETSCOPE_TRY(m_device.record(*begin.value(), stream));
    LaneState &state = m_lanes.at(&stream);
    Pair pair;
    pair.lane = state.lane;
    pair.name = name;
    pair.frame = frame;
    pair.bytes = bytes;
    pair.begin = std::move(begin).value();
    pair.end = std::move(end).value();
    pair.anchor = m_anchor;
    state.pairs.push_back(std::move(pair));
    return {};
}

Status DeviceTimeline::end(Stream &stream)
{
    if (!m_tracer.isRecording())
        return {};
    Pair &pair = m_lanes.at(&stream).pairs.back();
    assert(!pair.closed);
    pair.closed = true;
    return m_device.record(*pair.end, stream);
}

Status DeviceTimeline::record(LaneState &state, Pair &pair)
{
    const Result<std::int64_t> toBegin = m_device.elapsedNs(*pair.anchor->event, *pair.begin);
    if (!toBegin.ok())
        return toBegin.error();
    const Result<std::int64_t> length = m_device.elapsedNs(*pair.begin, *pair.end);
    if (!length.ok())
        return length.error();
    const std::int64_t endNs = pair.anchor->hostNs + toBegin.value() + length.value();
    Span span;
    span.startNs = std::min(std::max(endNs - length.value(), state.lastEndNs), endNs);
    span.durationNs = endNs - span.startNs;
    span.frame = pair.frame;
    span.bytes = saturated(pair.bytes);
    span.name = pair.name;
    span.lane = pair.lane;
    state.lastEndNs = std::max(state.lastEndNs, endNs);
    if (ThreadRecorder *recorder = ThreadRecorder::current())
        recorder->record(span);
    m_freeEvents.push_back(std::move(pair.begin));
    m_freeEvents.push_back(std::move(pair.end));
    return {};
}

Status DeviceTimeline::collect()
{
    // Work that begins after this moment is the only work that the pass below can miss, apart from what is still pending.
    std::int64_t resolvedNs = nowNs();
    if (!m_tracer.isRecording()) {
        m_resolvedNs = resolvedNs;
        return {};
    }
    for (auto &[stream, state] : m_lanes) {
        while (!state.pairs.empty() && state.pairs.front().closed) {
            const Result<bool> done = m_device.query(*state.pairs.front().end);
            if (!done.ok())
                return done.error();
            if (!done.value())
                break;
            JETSCOPE_TRY(record(state, state.pairs.front()));
            state.pairs.pop_front();
        }
        if (!state.pairs.empty())
            resolvedNs = std::min(resolvedNs, state.lastEndNs);
    }
    m_resolvedNs = std::max(m_resolvedNs, resolvedNs);
    if (nowNs() - m_anchor->hostNs > kAnchorAgeNs)
        return renewAnchor();
    return {};
}

Status DeviceTimeline::renewAnchor()
{
    auto anchor = std::make_shared<Anchor>();
    Result<std::unique_ptr<Event>> event = takeEvent();
    if (!event.ok())
        return event.error();
    anchor->event = std::move(event).value();
    const std::int64_t before = nowNs();
    JETSCOPE_TRY(m_device.record(*anchor->event, *m_anchorStream));
    for (;;) {
        const Result<bool> done = m_device.query(*anchor->event);
        if (!done.ok())
            return done.error();
        const std::int64_t after = nowNs();
        if (done.value()) {
            anchor->hostNs = before + (after - before) / 2;
            anchor->uncertaintyNs = (after - before) / 2;
            m_anchor = std::move(anchor);
            return {};
        }
        if (after - before > kAnchorPatienceNs)
            return {};
    }
}

} // namespace jetscope
