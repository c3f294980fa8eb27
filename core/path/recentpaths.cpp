// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/recentpaths.h"

namespace jetscope {

namespace {

/// If frames have very many pieces, fewer frames are kept.
constexpr std::size_t kMaxPieces = 1 << 15;

} // namespace

void RecentPaths::add(std::span<const PathPiece> pieces, std::span<const PathGain> gains)
{
    m_pieces.insert(m_pieces.end(), pieces.begin(), pieces.end());
    m_gains.insert(m_gains.end(), gains.begin(), gains.end());
    if (m_pieces.empty())
        return;
    const std::uint32_t newest = m_pieces.back().frame;
    const auto isOld = [&](std::uint32_t frame) { return frame < newest && newest - frame >= m_mostFrames; };
    while (isOld(m_pieces.front().frame) || (m_pieces.size() > kMaxPieces && m_pieces.front().frame != newest)) {
        const std::uint32_t frame = m_pieces.front().frame;
        while (!m_pieces.empty() && m_pieces.front().frame == frame)
            m_pieces.pop_front();
    }
    while (!m_gains.empty() && m_gains.front().firstFrame < m_pieces.front().frame)
        m_gains.pop_front();
}

PathSums RecentPaths::sums(std::uint32_t firstFrame) const
{
    PathSums sums;
    for (const PathPiece &piece : m_pieces)
        if (piece.frame >= firstFrame)
            sums.add(piece);
    for (const PathGain &gain : m_gains)
        if (gain.firstFrame >= firstFrame)
            sums.add(gain);
    return sums;
}

void RecentPaths::clear()
{
    m_pieces.clear();
    m_gains.clear();
}

} // namespace jetscope
