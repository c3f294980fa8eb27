// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/updatecollector.h"

#include "core/stream/appendnewest.h"

#include <chrono>
#include <utility>

namespace jetscope {

namespace {

/// Well within the time that a thread's ring of spans takes to fill.
constexpr std::chrono::milliseconds kCollectEvery{10};
/// What is kept for an owner that does not take it: half a minute of spans of a fast pipeline.
constexpr std::size_t kMostValues = 1 << 19;
constexpr std::size_t kMostNotices = 1 << 12;
constexpr std::size_t kMostAnswers = 8;

} // namespace

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
    appendNewest(m_kept.notices, std::move(update.notices), kMostNotices);
    appendNewest(m_kept.answers, std::move(update.answers), kMostAnswers);
    append(m_kept, std::move(update), kMostValues);
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
