// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/comingfile.h"

#include <utility>

namespace jetscope {

std::shared_ptr<FileInbox> ComingFile::open(std::uint64_t fromByte)
{
    const std::lock_guard lock(m_mutex);
    m_inbox = std::make_shared<FileInbox>(m_next++, fromByte);
    return m_inbox;
}

void ComingFile::close(FileInbox &inbox)
{
    inbox.close();
    const std::lock_guard lock(m_mutex);
    if (m_inbox.get() == &inbox)
        m_inbox.reset();
}

/// Not with the lock: an inbox waits for the disk.
bool ComingFile::take(FileBlock block)
{
    std::unique_lock lock(m_mutex);
    if (block.id >= m_next)
        return false;
    const std::shared_ptr<FileInbox> inbox = m_inbox;
    lock.unlock();
    return !inbox || inbox->id() != block.id || inbox->put(std::move(block));
}

bool ComingFile::take(FileEnd end)
{
    const std::lock_guard lock(m_mutex);
    if (end.id >= m_next)
        return false;
    if (m_inbox && m_inbox->id() == end.id)
        m_inbox->put(std::move(end));
    return true;
}

void ComingFile::cut()
{
    const std::lock_guard lock(m_mutex);
    if (m_inbox)
        m_inbox->cut();
}

} // namespace jetscope
