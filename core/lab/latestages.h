// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"
#include "core/recording/lostframes.h"

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace jetscope {

/// What a pipeline was doing while frames were lost because it was late, by the critical paths of its newest frames.
/// One thread.
class LateStages {
public:
    /// In the order of frames.
    void add(std::span<const PathPiece> pieces);
    /// Whether the paths have come that far.
    bool knows(std::int64_t ns) const { return !m_pieces.empty() && m_pieces.back().endNs > ns; }
    /// Of the frame that the pipeline was about to complete at this time: "frame 12 took 41.2 ms, of which 33.1 ms
    /// kernel gaussian15"; empty if its path is not known.
    std::string wordsFor(std::int64_t ns, const PathSums::NameOf &nameOf, const PathSums::LaneOf &laneOf) const;
    /// Adds them to the evidence of frames that were lost because of the pipeline.
    void explain(std::vector<LostFrames> &lost, const PathSums::NameOf &nameOf, const PathSums::LaneOf &laneOf) const;

    /// Whether the pipeline's work says more of such a loss.
    static bool isOfPipeline(LossCause cause) { return cause == LossCause::Overtaken || cause == LossCause::NoBuffer; }

private:
    std::deque<PathPiece> m_pieces;
};

} // namespace jetscope
