// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/errands.h"

#include <sys/resource.h>
#include <utility>

namespace jetscope {

namespace {

/// Beside two busy threads of value 0 a thread gets 5 % of their processor with 10, and 0.7 % with 19.
int niceOf(Errands::Priority priority)
{
    switch (priority) {
    case Errands::Priority::Usual:
        break;
    case Errands::Priority::Asked:
        return 10;
    case Errands::Priority::Background:
        return 19;
    }
    return 0;
}

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
    if (const int nice = niceOf(priority); nice != 0)
        ::setpriority(PRIO_PROCESS, 0, nice); // On Linux of this thread alone.
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
