// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/errands.h"

#include <sys/resource.h>
#include <utility>

namespace jetscope {

namespace {

constexpr int kLowestPriority = 19;

} // namespace

Errands::Errands(Priority priority) : m_thread([this, priority] { work(priority); }) {}

void Errands::add(std::function<void()> errand)
{
    {
        const std::lock_guard lock(m_mutex);
        m_errands.push_back(std::move(errand));
    }
    m_wake.notify_all();
}

void Errands::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void Errands::work(Priority priority)
{
    if (priority == Priority::Background)
        ::setpriority(PRIO_PROCESS, 0, kLowestPriority); // On Linux of this thread alone.
    std::unique_lock lock(m_mutex);
    while (!m_ends) {
        if (m_errands.empty()) {
            m_wake.wait(lock);
            continue;
        }
        const std::function<void()> errand = std::move(m_errands.front());
        m_errands.pop_front();
        lock.unlock();
        errand();
        lock.lock();
    }
    m_errands.clear();
}

} // namespace jetscope
