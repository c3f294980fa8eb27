// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/softstream.h"

#include "core/time/clock.h"
#include "gpu/soft/softdevice.h"

#include <utility>

namespace jetscope {

SoftStream::SoftStream(SoftDevice &device, std::uint64_t id) : m_device(device), m_id(id), m_thread([this] { work(); })
{
    m_device.addStream(*this);
}

SoftStream::~SoftStream()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_condition.notify_one();
    m_thread.join();
    m_device.removeStream(*this);
}

std::uint64_t SoftStream::submit(Task task)
{
    std::uint64_t place = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (m_capture) {
            m_capture->push_back(std::move(task));
            return m_submitted;
        }
        m_entries.push_back({std::move(task), nullptr});
        m_end.reset();
        place = ++m_submitted;
    }
    m_condition.notify_one();
    return place;
}

void SoftStream::beginCapture()
{
    const std::lock_guard lock(m_mutex);
    m_capture.emplace();
    m_isCaptureValid = true;
}

std::optional<std::vector<SoftStream::Task>> SoftStream::endCapture()
{
    const std::lock_guard lock(m_mutex);
    std::optional<std::vector<Task>> captured = std::exchange(m_capture, std::nullopt);
    return m_isCaptureValid ? std::move(captured) : std::nullopt;
}

bool SoftStream::isCapturing() const
{
    const std::lock_guard lock(m_mutex);
    return m_capture.has_value();
}

void SoftStream::invalidateCapture()
{
    const std::lock_guard lock(m_mutex);
    m_isCaptureValid = false;
}

std::shared_ptr<Completion> SoftStream::mark()
{
    std::shared_ptr<Completion> completion;
    {
        const std::lock_guard lock(m_mutex);
        completion = appendMark();
    }
    m_condition.notify_one();
    return completion;
}

std::shared_ptr<Completion> SoftStream::end()
{
    std::shared_ptr<Completion> completion;
    {
        const std::lock_guard lock(m_mutex);
        if (m_end)
            return m_end;
        completion = appendMark();
    }
    m_condition.notify_one();
    return completion;
}

std::shared_ptr<Completion> SoftStream::appendMark()
{
    m_end = std::make_shared<Completion>(m_id, ++m_submitted);
    m_entries.push_back({nullptr, m_end});
    return m_end;
}

void SoftStream::work()
{
    StreamWorker worker(m_device.display());
    for (;;) {
        Entry entry;
        {
            std::unique_lock lock(m_mutex);
            m_condition.wait(lock, [this] { return m_stopping || !m_entries.empty(); });
            // Run all queued tasks before stopping: destroying a stream waits for its work.
            if (m_entries.empty())
                return;
            entry = std::move(m_entries.front());
            m_entries.pop_front();
        }
        if (entry.mark)
            entry.mark->complete(nowNs());
        else if (const Status status = entry.task(worker); !status.ok())
            m_device.noteError(status.error());
    }
}

void Completion::complete(std::int64_t stampNs)
{
    {
        const std::lock_guard lock(m_mutex);
        m_stampNs = stampNs;
        m_done.store(true, std::memory_order_release);
    }
    m_condition.notify_all();
}

void Completion::wait(WaitPolicy policy) const
{
    switch (policy) {
    case WaitPolicy::Spin:
        while (!done()) {}
        return;
    case WaitPolicy::Yield:
        while (!done())
            std::this_thread::yield();
        return;
    case WaitPolicy::Auto:
    case WaitPolicy::Block:
        break;
    }
    std::unique_lock lock(m_mutex);
    m_condition.wait(lock, [this] { return done(); });
}

} // namespace jetscope
