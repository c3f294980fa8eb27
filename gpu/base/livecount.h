// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace jetscope {

/// Counts of live objects in this process. Status lines show them and tests check them after switches. Any thread.
struct LiveCount {
    static std::atomic<std::size_t> handles; ///< Streams, events, images, textures, fences, contexts.
    static std::atomic<std::size_t> bytes;   ///< Device and shared buffers.
};

/// A member that counts its owner as one live handle. Follows moves: a moved-from handle no longer counts.
class CountedHandle {
public:
    CountedHandle() { LiveCount::handles.fetch_add(1, std::memory_order_relaxed); }
    ~CountedHandle() { release(); }
    CountedHandle(CountedHandle &&other) noexcept : m_counts(other.m_counts) { other.m_counts = false; }
    CountedHandle &operator=(CountedHandle &&other) noexcept
    {
        if (this != &other) {
            release();
            m_counts = other.m_counts;
            other.m_counts = false;
        }
        return *this;
    }

private:
    void release()
    {
        if (m_counts)
            LiveCount::handles.fetch_sub(1, std::memory_order_relaxed);
        m_counts = false;
    }
    bool m_counts = true;
};

/// A member that counts its owner's bytes until it is destroyed.
class CountedBytes {
public:
    explicit CountedBytes(std::size_t bytes) : m_bytes(bytes)
    {
        LiveCount::bytes.fetch_add(bytes, std::memory_order_relaxed);
    }
    ~CountedBytes() { LiveCount::bytes.fetch_sub(m_bytes, std::memory_order_relaxed); }
    CountedBytes(const CountedBytes &) = delete;
    CountedBytes &operator=(const CountedBytes &) = delete;

private:
    std::size_t m_bytes;
};

/// Is told when handles are destroyed. Any thread.
class HandleObserver {
public:
    virtual ~HandleObserver() = default;
    virtual void destroyed(const void *handle) = 0;
};

/// What tells an observer when it is destroyed.
class Watched {
public:
    virtual ~Watched()
    {
        if (m_observer)
            m_observer->destroyed(this);
    }
    Watched(const Watched &) = delete;
    Watched &operator=(const Watched &) = delete;

    /// One observer.
    void watch(std::shared_ptr<HandleObserver> observer) { m_observer = std::move(observer); }

protected:
    Watched() = default;

private:
    std::shared_ptr<HandleObserver> m_observer;
};

} // namespace jetscope
