// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// A queue executes its work in order: a CUDA stream, a GL queue, the view's GL context, or the CPU.
using QueueId = std::uint32_t;
/// The number of a piece of work in its queue, counted from 1.
using Tick = std::uint64_t;

/// A set of work that is complete when a certain point is reached: of each queue, everything up to a tick. Work happens
/// before a point if the point's clock contains it. See L. Lamport, "Time, Clocks, and the Ordering of Events in a
/// Distributed System", and C. Flanagan and S. Freund, "FastTrack: Efficient and Precise Dynamic Race Detection".
class VectorClock {
public:
    Tick of(QueueId queue) const { return queue < m_ticks.size() ? m_ticks[queue] : 0; }
    bool contains(QueueId queue, Tick tick) const { return of(queue) >= tick; }

    void advance(QueueId queue, Tick tick)
    {
        if (queue >= m_ticks.size())
            m_ticks.resize(queue + 1);
        m_ticks[queue] = std::max(m_ticks[queue], tick);
    }
    void join(const VectorClock &other)
    {
        if (m_ticks.size() < other.m_ticks.size())
            m_ticks.resize(other.m_ticks.size());
        for (std::size_t i = 0; i < other.m_ticks.size(); ++i)
            m_ticks[i] = std::max(m_ticks[i], other.m_ticks[i]);
    }
    /// Whether everything in `other` is also in this clock.
    bool containsAll(const VectorClock &other) const
    {
        for (std::size_t i = 0; i < other.m_ticks.size(); ++i)
            if (of(static_cast<QueueId>(i)) < other.m_ticks[i])
                return false;
        return true;
    }

private:
    std::vector<Tick> m_ticks;
};

} // namespace jetscope
