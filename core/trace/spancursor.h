// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/trace/spantrack.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

namespace jetscope {

/// Reads the spans of a track that overlap a time, in order, in blocks that stay in the processor's cache. The track
/// must outlive the cursor.
class SpanCursor {
public:
    SpanCursor(const SpanTrack &track, Interval time) : m_track(&track)
    {
        std::tie(m_next, m_last) = track.range(time.startNs, time.endNs);
        m_index = m_next;
        fill();
    }

    bool atEnd() const { return m_at == m_filled; }
    const SpanTimes &operator*() const { return m_block[m_at]; }
    const SpanTimes *operator->() const { return &m_block[m_at]; }
    /// The index of the span in its track.
    std::uint64_t index() const { return m_index; }
    void next()
    {
        ++m_index;
        if (++m_at == m_filled)
            fill();
    }

private:
    static constexpr std::uint64_t kBlock = 256;

    void fill()
    {
        m_at = 0;
        m_filled = static_cast<std::size_t>(std::min(kBlock, m_last - m_next));
        m_track->read(m_next, {m_block.data(), m_filled});
        m_next += m_filled;
    }

    const SpanTrack *m_track;
    std::uint64_t m_next = 0; ///< The first span that is not in the block.
    std::uint64_t m_last = 0;
    std::uint64_t m_index = 0;
    std::size_t m_at = 0;
    std::size_t m_filled = 0;
    std::array<SpanTimes, kBlock> m_block;
};

} // namespace jetscope
