// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// Single-producer single-consumer ring of finished spans. The producer never blocks: if the ring is full, the new span
/// is dropped and counted.
class SpanRing {
public:
    static constexpr std::size_t kCapacity = 8192; ///< Spans; a power of two.

    SpanRing();

    /// Producer thread only.
    void push(const Span &span)
    {
        const std::uint64_t head = m_head.load(std::memory_order_relaxed);
        if (head - m_tailSeen >= kCapacity) {
            m_tailSeen = m_tail.load(std::memory_order_acquire);
            if (head - m_tailSeen >= kCapacity) {
                m_lost.store(m_lost.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
                return;
            }
        }
        m_spans[head & (kCapacity - 1)] = span;
        m_head.store(head + 1, std::memory_order_release);
    }

    /// Consumer thread only: appends all spans to `out`.
    void drain(std::vector<Span> &out);

    /// Any thread.
    std::uint64_t lost() const { return m_lost.load(std::memory_order_relaxed); }

private:
    std::vector<Span> m_spans;
    // The producer's and the consumer's counters are on separate cache lines, so that collecting does not slow down
    // recording.
    alignas(64) std::atomic<std::uint64_t> m_head{0};
    std::uint64_t m_tailSeen = 0;
    std::atomic<std::uint64_t> m_lost{0};
    alignas(64) std::atomic<std::uint64_t> m_tail{0};
};

} // namespace jetscope
