// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/livepipeline.h"

#include "core/stream/appendnewest.h"

#include <chrono>

namespace jetscope {

namespace {

PipelineSetup withOpener(PipelineSetup setup)
{
    if (!setup.openSource)
        setup.openSource = [](const std::string &uri) { return openSource(uri, Pacing::Real); };
    return setup;
}

/// Well within the time that a thread's ring of spans takes to fill.
constexpr std::chrono::milliseconds kCollectEvery{10};
/// What is kept for an owner that does not take it: half a minute of spans of a fast pipeline.
constexpr std::size_t kMaxValues = 1 << 19;
constexpr std::size_t kMaxNotices = 1 << 12;
constexpr std::size_t kMaxAnswers = 8;

} // namespace

Result<std::unique_ptr<Pipeline>> Pipeline::create(PipelineSetup setup)
{
    auto pipeline = std::make_unique<LivePipeline>(std::move(setup));
    JETSCOPE_TRY(pipeline->waitForStart());
    return std::unique_ptr<Pipeline>(std::move(pipeline));
}

LivePipeline::LivePipeline(PipelineSetup setup)
    : m_tracer(setup.traced ? Tracer::Recording::On : Tracer::Recording::Off),
      m_loop(withOpener(std::move(setup)), m_tracer, m_channel),
      m_started(m_startedPromise.get_future()),
      m_thread([this] { m_loop.run(m_startedPromise); })
{
}

LivePipeline::~LivePipeline()
{
    m_channel.stop();
    m_thread.join();
}

Status LivePipeline::waitForStart()
{
    return m_started.get();
}

UpdateCollector::UpdateCollector(std::function<PipelineUpdate()> drain) : m_drain(std::move(drain)) {}

UpdateCollector::~UpdateCollector()
{
    {
        const std::scoped_lock lock(m_keeping);
        m_ends = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable())
        m_thread.join();
    setSink(nullptr);
}

void UpdateCollector::start()
{
    if (!m_thread.joinable())
        m_thread = std::thread([this] { work(); });
}

void UpdateCollector::work()
{
    std::unique_lock lock(m_keeping);
    while (!m_ends) {
        lock.unlock();
        {
            const std::scoped_lock collecting(m_collecting);
            collect();
        }
        lock.lock();
        m_wake.wait_for(lock, kCollectEvery, [this] { return m_ends; });
    }
}

/// With m_collecting locked.
void UpdateCollector::collect()
{
    PipelineUpdate update = m_drain();
    m_head.add(update);
    if (m_sink)
        m_sink->take(update);
    const std::scoped_lock lock(m_keeping);
    appendNewest(m_kept.notices, std::move(update.notices), kMaxNotices);
    appendNewest(m_kept.answers, std::move(update.answers), kMaxAnswers);
    append(m_kept, std::move(update), kMaxValues);
}

void UpdateCollector::setSink(std::shared_ptr<TraceSink> sink)
{
    const std::scoped_lock collecting(m_collecting);
    if (m_sink)
        collect();
    m_sink = std::move(sink);
    if (!m_sink)
        return;
    m_sink->take(m_head.asUpdate());
    const std::scoped_lock lock(m_keeping);
    m_sink->take(m_kept);
}

PipelineUpdate UpdateCollector::take()
{
    if (!m_thread.joinable()) {
        const std::scoped_lock collecting(m_collecting);
        collect();
    }
    const std::scoped_lock lock(m_keeping);
    return std::exchange(m_kept, {});
}

} // namespace jetscope
