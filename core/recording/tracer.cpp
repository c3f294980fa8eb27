// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

constinit thread_local ThreadRecorder *t_recorder = nullptr;
constinit std::atomic<const SpanObserver *> g_observer{nullptr};

} // namespace

void observeSpans(const SpanObserver *observer)
{
    g_observer.store(observer, std::memory_order_release);
}

void observeFrame(std::uint32_t frame)
{
    const SpanObserver *const observer = g_observer.load(std::memory_order_acquire);
    if (!t_recorder || !observer || !observer->frame)
        return;
    assert(t_recorder->m_depth == 0 && "a frame begins within a span");
    observer->frame(frame);
}

Tracer::Tracer(Recording recording) : m_recording(recording) {}

Tracer::~Tracer()
{
    assert(m_rings.empty() && "a ThreadRecorder outlives its Tracer");
}

LaneId Tracer::lane(LaneRole role, std::string name, std::string detail, bool emulated)
{
    const std::lock_guard lock(m_mutex);
    for (const LaneInfo &known : m_lanes)
        if (known.role == role && known.name == name && known.detail == detail)
            return known.id;
    assert(m_lanes.size() <= std::numeric_limits<LaneId>::max());
    const auto id = static_cast<LaneId>(m_lanes.size());
    m_lanes.push_back({id, role, std::move(name), std::move(detail), emulated});
    return id;
}

std::vector<LaneInfo> Tracer::lanes(std::size_t first) const
{
    const std::lock_guard lock(m_mutex);
    return {m_lanes.begin() + static_cast<std::ptrdiff_t>(std::min(first, m_lanes.size())), m_lanes.end()};
}

void Tracer::collect(std::vector<Span> &out)
{
    // Recording takes no lock, so this lock only delays threads that start, end or name a lane.
    const std::lock_guard lock(m_mutex);
    // The lane of a finished thread may have a new thread, whose spans must come after those of the old one.
    for (const auto &ring : m_retired) {
        ring->drain(out);
        m_lostRetired += ring->lost();
    }
    m_retired.clear();
    for (const auto &ring : m_rings)
        ring->drain(out);
}

std::uint64_t Tracer::lost() const
{
    const std::lock_guard lock(m_mutex);
    std::uint64_t lost = m_lostRetired;
    for (const auto *rings : {&m_rings, &m_retired})
        for (const auto &ring : *rings)
            lost += ring->lost();
    return lost;
}

std::shared_ptr<SpanRing> Tracer::addRing()
{
    auto ring = std::make_shared<SpanRing>();
    const std::lock_guard lock(m_mutex);
    m_rings.push_back(ring);
    return ring;
}

void Tracer::retireRing(const std::shared_ptr<SpanRing> &ring)
{
    const std::lock_guard lock(m_mutex);
    std::erase(m_rings, ring);
    m_retired.push_back(ring);
}

ThreadRecorder::ThreadRecorder(Tracer &tracer, LaneRole role, std::string name, std::string detail, bool emulated)
    : m_tracer(tracer),
      m_ring(tracer.addRing()),
      m_lane(tracer.lane(role, std::move(name), std::move(detail), emulated)),
      m_role(role)
{
    assert(!t_recorder && "one recorder per thread at a time");
    if (tracer.canRecord())
        t_recorder = this;
}

ThreadRecorder::~ThreadRecorder()
{
    t_recorder = nullptr;
    m_tracer.retireRing(m_ring);
}

ThreadRecorder *ThreadRecorder::current()
{
    return t_recorder;
}

FrameScope::FrameScope(std::uint32_t frame)
    : m_recorder(t_recorder), m_outerFrame(m_recorder ? m_recorder->m_frame : kNoFrame)
{
    if (m_recorder)
        m_recorder->m_frame = frame;
}

FrameScope::~FrameScope()
{
    if (m_recorder)
        m_recorder->m_frame = m_outerFrame;
}

SpanScope::SpanScope(NameId name, std::uint32_t frame) : m_recorder(t_recorder)
{
    if (m_recorder && !m_recorder->m_tracer.isRecording())
        m_recorder = nullptr;
    if (!m_recorder)
        return;
    m_span.frame = frame;
    m_span.name = name;
    m_span.lane = m_recorder->m_lane;
    m_span.depth = m_recorder->m_depth++;
    m_outerFrame = m_recorder->m_frame;
    if (frame != kNoFrame)
        m_recorder->m_frame = frame;
    m_observer = g_observer.load(std::memory_order_acquire);
    if (m_observer)
        m_observer->begin(name, frame);
    m_span.startNs = nowNs();
}

SpanScope::~SpanScope()
{
    if (!m_recorder)
        return;
    --m_recorder->m_depth;
    m_recorder->m_frame = m_outerFrame;
    if (!m_discarded) {
        m_span.durationNs = nowNs() - m_span.startNs;
        m_recorder->m_ring->push(m_span);
    }
    if (m_observer)
        m_observer->end();
}

void SpanScope::setFrame(std::uint32_t frame)
{
    m_span.frame = frame;
    if (m_recorder)
        m_recorder->m_frame = frame;
}

void SpanScope::setBytes(std::uint64_t bytes)
{
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
    m_span.bytes = static_cast<std::uint32_t>(std::min(bytes, kMax));
}

} // namespace jetscope
