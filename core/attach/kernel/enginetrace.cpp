// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/kernel/enginetrace.h"

#include <algorithm>
#include <bitset>

namespace jetscope {

namespace {

constexpr std::size_t kMaxEngines = 64;
constexpr std::size_t kMaxJobs = 64; ///< Of an engine, in progress.
constexpr std::size_t kMaxInProgress = 256;
constexpr std::size_t kMaxNamedThreads = 64; ///< Names are never given back.
constexpr std::uint8_t kMaxDepth = 8;
constexpr std::uint8_t kSubmitDepth = 1; ///< In a thread's lane, below its states.
constexpr std::uint8_t kFillDepth = 2;

/// Values of syncpoints go around (host1x_syncpt_is_expired of Linux).
bool isReached(std::uint32_t now, std::uint32_t value)
{
    return static_cast<std::int32_t>(now - value) >= 0;
}

} // namespace

void EngineTrace::take(const EngineEvent &event, std::int64_t ns, const Submitter &by, std::vector<Span> &out)
{
    if (event.use == JSA_TRACED_VALUE) {
        for (auto &[name, engine] : m_engines)
            complete(engine, ns, out, [&](const Job &job) {
                return job.syncpoint == event.syncpoint && isReached(*event.value, job.value);
            });
        return;
    }
    Engine *const engine = engineOf(event);
    if (!engine)
        return;
    const auto begun = m_submissions.find(by.tid);
    const bool isOfThis = begun != m_submissions.end() && begun->second.engine == engine;
    switch (event.use) {
    case JSA_TRACED_SUBMIT:
        if (m_submissions.size() >= kMaxInProgress) // Of submissions that failed, nothing more is told.
            m_submissions.clear();
        m_submissions[by.tid] = {engine, ns, event.syncpoint, {}};
        break;
    case JSA_TRACED_FILL:
        if (isOfThis)
            begun->second.fillNs = ns;
        break;
    case JSA_TRACED_FILLED:
        if (isOfThis && begun->second.fillNs && by.lane) {
            static const NameId s_fills = internName("writes its commands", Category::Tool);
            add(*by.lane, s_fills, kFillDepth, *begun->second.fillNs, ns, m_frameAt(begun->second.startNs), out);
        }
        break;
    case JSA_TRACED_FULL:
        if (by.lane)
            add(*by.lane, engine->full, kFillDepth, ns, ns, m_frameAt(ns), out);
        break;
    case JSA_TRACED_SUBMITTED:
        takeSubmitted(*engine, event, ns, by, out);
        break;
    case JSA_TRACED_COMPLETE:
        complete(*engine, ns, out, [&](const Job &job) { return job.value == *event.value; });
        break;
    default:
        break;
    }
}

/// Its beginning may be missing, or be that of another engine: then it is a moment.
void EngineTrace::takeSubmitted(Engine &engine, const EngineEvent &event, std::int64_t ns, const Submitter &by,
                                std::vector<Span> &out)
{
    Submission begun;
    if (const auto found = m_submissions.find(by.tid); found != m_submissions.end()) {
        begun = found->second;
        m_submissions.erase(found);
    }
    const bool hasBegin = begun.engine == &engine;
    const std::int64_t fromNs = hasBegin ? std::min(begun.startNs, ns) : ns;
    const std::uint32_t frame = m_frameAt(fromNs);
    ++engine.work.submitted;
    if (by.lane)
        add(*by.lane, engine.submits, kSubmitDepth, fromNs, ns, frame, out);
    if (!event.value)
        return; // Nothing will tell when it is complete.
    std::bitset<kMaxDepth> used;
    for (const Job &job : engine.jobs)
        used.set(std::min<std::uint8_t>(job.depth, kMaxDepth - 1));
    Job job;
    job.syncpoint = event.syncpoint ? event.syncpoint : hasBegin ? begun.syncpoint : std::nullopt;
    job.value = *event.value;
    job.startNs = fromNs;
    job.frame = frame;
    job.name = workOf(by.name);
    while (job.depth < kMaxDepth - 1 && used[job.depth])
        ++job.depth;
    if (engine.jobs.size() >= kMaxJobs)
        engine.jobs.pop_front();
    engine.jobs.push_back(job);
}

template <class IsComplete>
void EngineTrace::complete(Engine &engine, std::int64_t ns, std::vector<Span> &out, IsComplete isComplete)
{
    for (auto job = engine.jobs.begin(); job != engine.jobs.end();) {
        if (!isComplete(*job)) {
            ++job;
            continue;
        }
        ++engine.work.complete;
        if (engine.lane)
            add(*engine.lane, job->name, job->depth, job->startNs, std::max(ns, job->startNs), job->frame, out);
        job = engine.jobs.erase(job);
    }
}

EngineTrace::Engine *EngineTrace::engineOf(const EngineEvent &event)
{
    std::string name(event.engine);
    if (event.channel)
        name += ", channel " + std::to_string(*event.channel);
    if (const auto known = m_engines.find(name); known != m_engines.end())
        return &known->second;
    if (m_engines.size() >= kMaxEngines)
        return nullptr;
    Engine &engine = m_engines[name];
    engine.submits = internName("submits to " + name, Category::Tool);
    engine.full = internName("the queue of " + name + " is full", Category::Tool);
    engine.lane = m_newLane(name, "the kernel's trace · bounds");
    engine.work.name = std::move(name);
    m_order.push_back(&engine);
    return &engine;
}

NameId EngineTrace::workOf(const std::string &thread)
{
    const bool isNamed = !thread.empty()
        && (m_namedThreads.contains(thread)
            || (m_namedThreads.size() < kMaxNamedThreads && m_namedThreads.insert(thread).second));
    return internName(isNamed ? "work of " + thread : "work of another thread", Category::Tool, Certainty::Bounded);
}

void EngineTrace::forget()
{
    m_submissions.clear();
    for (auto &[name, engine] : m_engines)
        engine.jobs.clear();
}

std::vector<EngineWork> EngineTrace::work() const
{
    std::vector<EngineWork> all;
    for (const Engine *engine : m_order)
        all.push_back(engine->work);
    return all;
}

void EngineTrace::add(LaneId lane, NameId name, std::uint8_t depth, std::int64_t fromNs, std::int64_t toNs,
                      std::uint32_t frame, std::vector<Span> &out) const
{
    Span span;
    span.startNs = fromNs;
    span.durationNs = std::max<std::int64_t>(toNs - fromNs, 0);
    span.frame = frame;
    span.name = name;
    span.lane = lane;
    span.depth = depth;
    out.push_back(span);
}

} // namespace jetscope
