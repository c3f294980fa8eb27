// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/bufferpool.h"

#include <algorithm>

namespace jetscope {

BufferPool::BufferPool()
{
    m_buffers.reserve(kMostBuffers);
    m_free.reserve(kMostBuffers);
    m_acquired.reserve(kMostBuffers);
}

std::uint8_t *BufferPool::acquire()
{
    const std::lock_guard lock(m_mutex);
    if (m_free.empty()) {
        if (m_buffers.size() == kMostBuffers)
            return nullptr;
        m_buffers.push_back(std::make_unique<std::uint64_t[]>(kBufferBytes / sizeof(std::uint64_t)));
        m_free.push_back(reinterpret_cast<std::uint8_t *>(m_buffers.back().get()));
    }
    m_acquired.push_back(m_free.back());
    m_free.pop_back();
    return m_acquired.back();
}

bool BufferPool::release(std::uint8_t *buffer)
{
    const std::lock_guard lock(m_mutex);
    const auto found = std::find(m_acquired.begin(), m_acquired.end(), buffer);
    if (found == m_acquired.end())
        return false;
    *found = m_acquired.back();
    m_acquired.pop_back();
    m_free.push_back(buffer);
    return true;
}

} // namespace jetscope
