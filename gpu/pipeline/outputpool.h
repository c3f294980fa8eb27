// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/fence.h"

#include <cstddef>
#include <deque>
#include <utility>

namespace jetscope {

class OutputPool;

/// An output texture that was taken from its pool. Goes back when this ends. Pipeline thread; the pool outlives it.
class OutputSlot {
public:
    OutputSlot() = default;
    OutputSlot(OutputSlot &&other) noexcept
        : m_pool(std::exchange(other.m_pool, nullptr)), m_index(other.m_index), m_lastUse(std::move(other.m_lastUse))
    {
    }
    OutputSlot &operator=(OutputSlot &&other) noexcept
    {
        release();
        m_pool = std::exchange(other.m_pool, nullptr);
        m_index = other.m_index;
        m_lastUse = std::move(other.m_lastUse);
        return *this;
    }
    ~OutputSlot() { release(); }

    std::size_t index() const { return m_index; }
    /// GL's last use of the texture; device work that writes it has to be ordered behind.
    const GlFence &lastUse() const { return m_lastUse; }
    void setLastUse(GlFence fence) { m_lastUse = std::move(fence); }
    /// The view has it from now on: OutputPool::returnFromView brings it back. Returns its index.
    std::size_t passToView();

private:
    friend class OutputPool;
    OutputSlot(OutputPool &pool, std::size_t index, GlFence lastUse)
        : m_pool(&pool), m_index(index), m_lastUse(std::move(lastUse))
    {
    }
    void release();

    OutputPool *m_pool = nullptr; ///< Null when there is nothing to give back.
    std::size_t m_index = 0;
    GlFence m_lastUse;
};

/// The output textures that neither the device nor the view uses. Pipeline thread.
class OutputPool {
public:
    void add(std::size_t index) { m_free.push_back({index, GlFence()}); }
    bool empty() const { return m_free.empty(); }
    /// The one that has been free for the longest time; the pool is not empty.
    OutputSlot take()
    {
        Free oldest = std::move(m_free.front());
        m_free.pop_front();
        return {*this, oldest.index, std::move(oldest.lastUse)};
    }
    /// Published or held by the view.
    std::size_t withView() const { return m_withView; }
    void returnFromView(std::size_t index, GlFence lastUse)
    {
        --m_withView;
        m_free.push_back({index, std::move(lastUse)});
    }

private:
    friend class OutputSlot;
    struct Free {
        std::size_t index = 0;
        GlFence lastUse;
    };
    std::deque<Free> m_free;
    std::size_t m_withView = 0;
};

inline std::size_t OutputSlot::passToView()
{
    ++std::exchange(m_pool, nullptr)->m_withView;
    return m_index;
}

inline void OutputSlot::release()
{
    if (m_pool)
        std::exchange(m_pool, nullptr)->m_free.push_back({m_index, std::move(m_lastUse)});
}

} // namespace jetscope
