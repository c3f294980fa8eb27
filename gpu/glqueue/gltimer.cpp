// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/glqueue/gltimer.h"

#include "core/recording/tracer.h"
#include "gpu/gl/api.h"

#include <string_view>

namespace jetscope {

struct GlTimerApi {
    PFNGLGENQUERIESEXTPROC genQueries = extension("glGenQueriesEXT");
    PFNGLDELETEQUERIESEXTPROC deleteQueries = extension("glDeleteQueriesEXT");
    PFNGLQUERYCOUNTEREXTPROC queryCounter = extension("glQueryCounterEXT");
    PFNGLGETQUERYIVEXTPROC getQuery = extension("glGetQueryivEXT");
    PFNGLGETQUERYOBJECTUIVEXTPROC getObject = extension("glGetQueryObjectuivEXT");
    PFNGLGETQUERYOBJECTUI64VEXTPROC getObject64 = extension("glGetQueryObjectui64vEXT");

    bool complete() const
    {
        return genQueries && deleteQueries && queryCounter && getQuery && getObject && getObject64;
    }
};

namespace {

constexpr std::int64_t kGlAnchorAgeNs = 1'000'000'000;

const GlTimerApi &timerApi()
{
    static const GlTimerApi api;
    return api;
}

bool driverTimesCommands()
{
    const auto *extensions = reinterpret_cast<const char *>(glGetString(GL_EXTENSIONS));
    if (!extensions || std::string_view(extensions).find("GL_EXT_disjoint_timer_query") == std::string_view::npos
        || !timerApi().complete())
        return false;
    GLint bits = 0;
    timerApi().getQuery(GL_TIMESTAMP_EXT, GL_QUERY_COUNTER_BITS_EXT, &bits);
    return bits > 0;
}

bool clockJumped()
{
    GLint jumped = 0;
    glGetIntegerv(GL_GPU_DISJOINT_EXT, &jumped); // Reading it also clears it.
    return jumped != 0;
}

} // namespace

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

GlQueryTimer::GlQueryTimer(const GlTimerApi &api, LaneId lane) : m_api(api), m_lane(lane) {}

std::unique_ptr<GlQueryTimer> GlQueryTimer::create(Tracer &tracer)
{
    if (!tracer.isRecording() || !driverTimesCommands())
        return nullptr;
    std::unique_ptr<GlQueryTimer> timeline(
        new GlQueryTimer(timerApi(), tracer.lane(LaneRole::GlQueue, "GL queue", "GPU · timer queries")));
    static_cast<void>(clockJumped());
    // GPU times cannot be mapped to host time without an anchor.
    return timeline->renewAnchor() ? std::move(timeline) : nullptr;
}

GlQueryTimer::~GlQueryTimer()
{
    discardAll();
    m_api.deleteQueries(static_cast<GLsizei>(m_freeQueries.size()), m_freeQueries.data());
}

unsigned GlQueryTimer::stamp()
{
    unsigned query = 0;
    if (m_freeQueries.empty()) {
        m_api.genQueries(1, &query);
    } else {
        query = m_freeQueries.back();
        m_freeQueries.pop_back();
    }
    m_api.queryCounter(query, GL_TIMESTAMP_EXT);
    return query;
}

void GlQueryTimer::begin(NameId name, std::uint32_t frame)
{
    m_pairs.push_back({name, frame, stamp(), 0});
}

void GlQueryTimer::end()
{
    m_pairs.back().end = stamp();
}

bool GlQueryTimer::renewAnchor()
{
    GLint64 gpuNs = 0;
    const std::int64_t before = nowNs();
    // Use the core function: without the extension, its entry point may be a stub that leaves the time at 0.
    glGetInteger64v(GL_TIMESTAMP_EXT, &gpuNs);
    const std::int64_t after = nowNs();
    if (gpuNs == 0)
        return false;
    m_anchorHostNs = before + (after - before) / 2;
    m_anchorGpuNs = gpuNs;
    return true;
}

void GlQueryTimer::collect()
{
    if (clockJumped()) {
        discardAll();
        renewAnchor();
        return;
    }
    while (!m_pairs.empty() && m_pairs.front().end != 0) {
        GLuint available = 0;
        m_api.getObject(m_pairs.front().end, GL_QUERY_RESULT_AVAILABLE_EXT, &available);
        if (!available)
            break;
        record(m_pairs.front());
        m_freeQueries.push_back(m_pairs.front().begin);
        m_freeQueries.push_back(m_pairs.front().end);
        m_pairs.pop_front();
    }
    if (nowNs() - m_anchorHostNs > kGlAnchorAgeNs)
        renewAnchor();
}

void GlQueryTimer::record(const Pair &pair)
{
    GLuint64 beginNs = 0;
    GLuint64 endNs = 0;
    m_api.getObject64(pair.begin, GL_QUERY_RESULT_EXT, &beginNs);
    m_api.getObject64(pair.end, GL_QUERY_RESULT_EXT, &endNs);
    const auto hostNs = [this](GLuint64 gpuNs) {
        return m_anchorHostNs + (static_cast<std::int64_t>(gpuNs) - m_anchorGpuNs);
    };
    Span span;
    const Interval time = m_order.place(hostNs(beginNs), hostNs(endNs));
    span.startNs = time.startNs;
    span.durationNs = time.endNs - time.startNs;
    span.frame = pair.frame;
    // The GPU stamps both ends, but the interval includes work of other contexts between them.
    span.name = boundedName(pair.name);
    span.lane = m_lane;
    if (ThreadRecorder *recorder = ThreadRecorder::current())
        recorder->record(span);
}

void GlQueryTimer::discardAll()
{
    for (const Pair &pair : m_pairs)
        for (const unsigned query : {pair.begin, pair.end})
            if (query != 0)
                m_freeQueries.push_back(query);
    m_pairs.clear();
}

} // namespace jetscope
