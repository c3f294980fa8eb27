// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/completion.h"

#include <thread>

namespace jetscope {

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
