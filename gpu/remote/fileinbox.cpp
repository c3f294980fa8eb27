// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/fileinbox.h"

#include <utility>

namespace jetscope {

bool FileInbox::put(FileBlock block)
{
    std::unique_lock lock(m_mutex);
    if (m_isClosed)
        return true;
    if (m_end || block.fromByte != m_next || block.bytes.empty() || block.bytes.size() > kMaxFileBlock)
        return false;
    m_changed.wait(lock, [this] { return m_bytes < kMostBytes || m_isClosed; });
    m_next += block.bytes.size();
    m_bytes += block.bytes.size();
    m_blocks.push_back(std::move(block.bytes));
    m_changed.notify_all();
    return true;
}

void FileInbox::put(FileEnd end)
{
    const std::lock_guard lock(m_mutex);
    m_end = std::move(end);
    m_changed.notify_all();
}

void FileInbox::cut()
{
    const std::lock_guard lock(m_mutex);
    m_isCut = true;
    m_changed.notify_all();
}

void FileInbox::close()
{
    const std::lock_guard lock(m_mutex);
    m_isClosed = true;
    m_changed.notify_all();
}

FileInbox::Taken FileInbox::take(std::chrono::milliseconds timeout)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, timeout, [this] { return !m_blocks.empty() || m_end || m_isCut; });
    Taken taken;
    if (!m_blocks.empty()) {
        taken.bytes = std::move(m_blocks.front());
        m_blocks.pop_front();
        m_bytes -= taken.bytes.size();
        m_changed.notify_all();
    } else {
        taken.end = m_end;
        taken.isCut = m_isCut;
    }
    return taken;
}

} // namespace jetscope
