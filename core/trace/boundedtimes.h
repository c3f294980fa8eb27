// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

namespace jetscope {

/// The bounded parts of the figures of frames that have any. Empty if every span is exact. Frames are identified by
/// their places in a FrameTable. Not thread-safe.
class BoundedTimes {
public:
    struct Times {
        std::int64_t gpuNs = 0;
        std::int64_t bothNs = 0;
    };

    /// Call in order of places. Times that are both 0 are not stored.
    void append(std::uint64_t place, Times times)
    {
        if (times.gpuNs == 0 && times.bothNs == 0)
            return;
        const Times before = m_entries.empty() ? m_before : m_entries.back().upTo;
        m_entries.push_back({place, {before.gpuNs + times.gpuNs, before.bothNs + times.bothNs}});
    }

    /// Sum over the frames [first, last). O(log n).
    Times sum(std::uint64_t first, std::uint64_t last) const
    {
        if (m_entries.empty() || first >= last)
            return {};
        const Times from = before(first);
        const Times to = before(last);
        return {to.gpuNs - from.gpuNs, to.bothNs - from.bothNs};
    }

    void dropBefore(std::uint64_t place)
    {
        for (; !m_entries.empty() && m_entries.front().place < place; m_entries.pop_front())
            m_before = m_entries.front().upTo;
    }

    std::uint64_t memoryBytes() const { return m_entries.size() * sizeof(Entry); }

private:
    struct Entry {
        std::uint64_t place = 0;
        Times upTo; ///< Sum of all frames up to this one. Cannot overflow, as periods are disjoint.
    };

    Times before(std::uint64_t place) const
    {
        const auto next = std::lower_bound(m_entries.begin(), m_entries.end(), place,
                                           [](const Entry &entry, std::uint64_t other) { return entry.place < other; });
        return next == m_entries.begin() ? m_before : std::prev(next)->upTo;
    }

    std::deque<Entry> m_entries;
    Times m_before; ///< Sum of the dropped frames.
};

} // namespace jetscope
