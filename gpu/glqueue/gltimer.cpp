// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/glqueue/gltimer.h"

#include "core/recording/tracer.h"

namespace jetscope {

GlTimer::GlTimer(Tracer &tracer) : m_tracer(tracer)
{
    use(GpuTime::Auto);
}

void GlTimer::use(GpuTime source)
{
    m_bounds.reset();
    m_queries = source == GpuTime::Events ? GlQueryTimer::create(m_tracer) : nullptr;
}

void GlTimer::begin(NameId name, std::uint32_t frame)
{
    if (!m_tracer.isRecording())
        return;
    if (m_queries) {
        m_queries->begin(name, frame);
        return;
    }
    if (!m_bounds) // Created with the first work, so that no lane stays empty.
        m_bounds.emplace(m_tracer.lane(LaneRole::GlQueue, "GL queue", "GPU · bounds"));
    GpuItem item;
    item.name = name;
    item.frame = frame;
    item.submitNs = nowNs();
    item.state = GpuItem::State::Untimed;
    m_bounds->push(item);
}

void GlTimer::end()
{
    if (m_queries && m_tracer.isRecording())
        m_queries->end();
}

void GlTimer::completed(std::uint32_t frame, std::int64_t ns)
{
    if (m_bounds)
        m_bounds->completed(frame, ns);
}

void GlTimer::collect()
{
    if (m_queries) {
        m_queries->collect();
        return;
    }
    if (!m_bounds)
        return;
    m_spans.clear();
    m_bounds->takeSpans(m_spans);
    if (ThreadRecorder *recorder = ThreadRecorder::current())
        for (const Span &span : m_spans)
            recorder->record(span);
}

} // namespace jetscope
