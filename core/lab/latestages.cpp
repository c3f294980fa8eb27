// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/latestages.h"

#include "core/text/numbertext.h"

#include <algorithm>

namespace jetscope {

namespace {

/// Of some hundred frames.
constexpr std::size_t kPiecesKept = 4096;

} // namespace

void LateStages::add(std::span<const PathPiece> pieces)
{
    m_pieces.insert(m_pieces.end(), pieces.begin(), pieces.end());
    if (m_pieces.size() > kPiecesKept)
        m_pieces.erase(m_pieces.begin(), m_pieces.end() - static_cast<std::ptrdiff_t>(kPiecesKept));
}

std::string LateStages::wordsFor(std::int64_t ns, const PathSums::NameOf &nameOf, const PathSums::LaneOf &laneOf) const
{
    const auto at = std::partition_point(m_pieces.begin(), m_pieces.end(),
                                         [ns](const PathPiece &piece) { return piece.endNs <= ns; });
    if (at == m_pieces.end() || at->startNs > ns)
        return {};
    std::vector<PathPiece> frame;
    std::copy_if(m_pieces.begin(), m_pieces.end(), std::back_inserter(frame),
                 [at](const PathPiece &piece) { return piece.frame == at->frame; });
    PathSums sums;
    sums.add(frame);
    const PathSummary path = sums.summary(nameOf, laneOf);
    if (path.empty())
        return {};
    const PathShare &most = path.shares.front();
    return "frame " + std::to_string(at->frame) + " of the pipeline took " + fixedText(path.periodMs, 1)
        + " ms, of which " + fixedText(most.ms, 1) + " ms " + most.what
        + (most.lane.empty() ? "" : " (" + most.lane + ")");
}

void LateStages::explain(std::vector<LostFrames> &lost, const PathSums::NameOf &nameOf,
                         const PathSums::LaneOf &laneOf) const
{
    for (LostFrames &each : lost)
        if (isOfPipeline(each.cause))
            if (const std::string words = wordsFor(each.timeNs, nameOf, laneOf); !words.empty())
                each.evidence += "; " + words;
}

} // namespace jetscope
