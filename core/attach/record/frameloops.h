// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/frameguess.h"
#include "core/figures/framemetricsbuilder.h"
#include "core/figures/overlap.h"
#include "core/path/pathsummary.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace jetscope {

/// The frames of an inspected program by the loop that makes them. A program whose frames are guessed may have several:
/// one that tries out what is fastest, one that trains, one that checks. What is said of the frames is of the loop
/// whose rounds take the most time, without its first frames (StatisticsMethod::warmUp), so that all figures are of the
/// same frames. Memory is one entry of figures a frame.
/// Not thread-safe.
class FrameLoops {
public:
    FrameLoops() : m_loops(1) {}

    /// Frames from this number on are of a loop, which may be one of before; without a guess, of what else ends frames.
    /// `ranking`: all that the guess was chosen from.
    void begin(const std::optional<FrameGuess> &guess, std::uint32_t frame, std::vector<FrameGuess> ranking = {});
    void addFrame(const Interval &period);
    /// What is known later, of frames that were added.
    void add(const FrameFigures &figures);
    /// `weight`: the frame stands for so many.
    void add(const PathPiece &piece, std::uint32_t weight);
    void add(const PathGain &gain, std::uint32_t weight);

    std::uint64_t frames() const { return main().frames; }
    const std::vector<FrameFigures> &figures() const { return main().figures; }
    /// Those behind warm-up, or all if there are no more.
    std::span<const FrameFigures> counted() const;
    /// Of the same frames.
    const PathSums &path() const { return main().path.frames() > 0 ? main().path : main().warmUpPath; }
    double meanPeriodMs() const;
    /// Until the first of the counted frames; 0 if all count.
    double warmUpSeconds() const;
    /// From the beginning of the first frame to the end of the last one; empty if there are none.
    std::optional<Interval> time() const { return main().time; }
    /// What the frames were guessed from; empty if they are by something else.
    const std::optional<FrameGuess> &guess() const { return main().guess; }
    const std::vector<FrameGuess> &ranking() const { return main().ranking; }
    /// All loops, also those that only set up.
    std::uint64_t allFrames() const { return m_allFrames; }
    std::int64_t allPeriodsNs() const { return m_allPeriodsNs; }

private:
    struct Loop {
        std::optional<FrameGuess> guess;
        std::vector<FrameGuess> ranking;
        std::uint64_t frames = 0;
        std::uint32_t firstFrame = 0;
        double roundsNs = 0; ///< The periods, but of a round that is much longer than the others only a part.
        std::optional<Interval> time;
        std::vector<FrameFigures> figures;
        PathSums path;
        PathSums warmUpPath;
    };

    Loop &loopOf(std::uint32_t frame);
    const Loop &main() const;

    std::vector<Loop> m_loops;
    std::vector<std::pair<std::uint32_t, std::size_t>> m_from; ///< First frames and their loops, in order.
    std::size_t m_current = 0;
    std::uint64_t m_allFrames = 0;
    std::int64_t m_allPeriodsNs = 0;
};

} // namespace jetscope
