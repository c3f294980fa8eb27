// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/cameralog.h"

#include "core/time/clock.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

/// The oldest ones go in one move for many frames.
template <class Frame>
void keepNewest(std::vector<Frame> &frames, std::size_t most)
{
    if (frames.size() >= most + most / 4 + 1)
        frames.erase(frames.begin(), frames.end() - static_cast<std::ptrdiff_t>(most));
}

} // namespace

CameraLog::CameraLog(std::string address, std::size_t most) : m_address(std::move(address)), m_most(most) {}

void CameraLog::add(LoggedFrame frame, const std::vector<LostFrames> &told)
{
    if (frame.stamp.arrivalNs == 0)
        frame.stamp.arrivalNs = nowNs();
    const std::lock_guard lock(m_mutex);
    if (m_count++ == 0)
        m_contents.clocks = readClocks();
    const std::uint64_t next = m_contents.frames.empty() ? frame.index : m_contents.frames.back().index + 1;
    if (frame.index > next)
        for (LostFrames &lost : accountedFor(next, frame.index - next, told, frame.takenNs)) {
            m_contents.counts.add(lost);
            append(m_contents.lost, std::move(lost), kMostLossRows);
        }
    m_contents.frames.push_back({frame.index, frame.takenNs, frame.stamp.arrivalNs});
    m_contents.stamps.push_back({frame.index, frame.stamp});
    keepNewest(m_contents.frames, m_most);
    keepNewest(m_contents.stamps, m_most);
}

CameraLog::Contents CameraLog::contents(std::size_t newest) const
{
    const std::lock_guard lock(m_mutex);
    const auto from =
        static_cast<std::ptrdiff_t>(m_contents.frames.size() - std::min(newest, m_contents.frames.size()));
    return {{m_contents.frames.begin() + from, m_contents.frames.end()},
            {m_contents.stamps.begin() + from, m_contents.stamps.end()},
            m_contents.lost,
            m_contents.counts,
            m_contents.clocks};
}

std::uint64_t CameraLog::count() const
{
    const std::lock_guard lock(m_mutex);
    return m_count;
}

} // namespace jetscope
