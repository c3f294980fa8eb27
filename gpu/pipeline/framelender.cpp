// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/framelender.h"

#include <utility>

namespace jetscope {

void FrameLender::ask()
{
    m_rests = false;
    m_isAsked = true;
}

std::optional<LentFrame> FrameLender::take()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_lent, std::nullopt);
}

void FrameLender::giveBack(const LentFrame &frame)
{
    const std::lock_guard lock(m_mutex);
    m_returned.push_back(frame.loan);
    m_hasReturned = true;
}

void FrameLender::rest()
{
    const std::lock_guard lock(m_mutex);
    m_isAsked = false;
    if (m_lent)
        m_returned.push_back(std::exchange(m_lent, std::nullopt)->loan);
    m_rests = true;
    m_hasReturned = true;
}

void FrameLender::wake()
{
    ++m_wakes;
    m_wakes.notify_all();
}

bool FrameLender::lend(const LentFrame &frame)
{
    {
        const std::unique_lock lock(m_mutex, std::try_to_lock);
        if (!lock || !m_isAsked)
            return false;
        m_isAsked = false;
        m_lent = frame;
    }
    wake();
    return true;
}

std::vector<std::uint64_t> FrameLender::takeReturned()
{
    if (!m_hasReturned)
        return {};
    const std::unique_lock lock(m_mutex, std::try_to_lock);
    if (!lock)
        return {};
    m_hasReturned = false;
    return std::exchange(m_returned, {});
}

} // namespace jetscope
