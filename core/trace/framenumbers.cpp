// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/framenumbers.h"

#include <algorithm>

namespace jetscope {

bool FrameNumbers::add(const FrameNumber &change)
{
    if (!m_changes.empty()
        && (change.frame <= m_changes.back().frame || m_changes.back().of(change.frame) == change.number))
        return false;
    m_changes.push_back(change);
    return true;
}

std::uint64_t FrameNumbers::of(std::uint32_t frame) const
{
    const auto change = changeFor(frame);
    return change == m_changes.end() ? frame : change->of(frame);
}

void FrameNumbers::dropBefore(std::uint32_t frame)
{
    const auto change = changeFor(frame);
    if (change != m_changes.end())
        m_changes.erase(m_changes.begin(), change);
}

/// The last change at or before the frame; the end if there is none.
std::vector<FrameNumber>::const_iterator FrameNumbers::changeFor(std::uint32_t frame) const
{
    const auto after = std::partition_point(m_changes.begin(), m_changes.end(),
                                            [frame](const FrameNumber &change) { return change.frame <= frame; });
    return after == m_changes.begin() ? m_changes.end() : after - 1;
}

} // namespace jetscope
