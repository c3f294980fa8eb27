// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/recording/span.h"

#include <algorithm>
#include <cstdint>
#include <deque>

namespace jetscope {

/// When the frames of an inspected program began, and so the number of the frame at a time. Each begins where the one
/// before has ended; one that is interrupted leaves a gap in the numbers. Memory is bounded: what is older than some
/// thousand frames is of none. Not thread-safe.
class FrameStarts {
public:
    /// Of the frame in progress, or of the next one.
    std::uint32_t current() const { return m_current; }
    bool isInProgress() const { return !m_starts.empty(); }
    /// Without one in progress.
    void begin(std::int64_t ns) { m_starts.push_back(ns); }
    /// A frame has ended, and the next one begins. Returns its number.
    std::uint32_t end(const Interval &period)
    {
        if (m_starts.empty())
            m_starts.push_back(period.startNs);
        m_starts.push_back(period.endNs);
        if (m_starts.size() > kMaxStarts)
            m_starts.pop_front();
        return m_current++;
    }
    /// What is in progress is no frame.
    void interrupt()
    {
        if (!m_starts.empty())
            ++m_current;
        m_starts.clear();
    }
    std::uint32_t at(std::int64_t ns) const
    {
        if (!m_starts.empty() && m_starts.back() <= ns) // As of nearly all that is asked for.
            return m_current;
        const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), ns);
        if (after == m_starts.begin())
            return kNoFrame;
        return m_current - static_cast<std::uint32_t>(m_starts.end() - after);
    }

private:
    /// A call that began more frames ago than this belongs to no frame.
    static constexpr std::size_t kMaxStarts = 4096;

    std::uint32_t m_current = 0;
    std::deque<std::int64_t> m_starts; ///< Of the newest frames, and of the one in progress.
};

} // namespace jetscope
