// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/frameguess.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// A call of one thread, as a step of a loop.
struct LoopStep {
    std::uint64_t place = 0; ///< Hash of the function and of where the program calls it.
    std::uint64_t site = 0;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint16_t call = 0;
    bool waits = false; ///< Again at once, it counts once.
    bool makes = false; ///< Memory or objects, as programs do before they begin.
    bool moves = false; ///< Data to or from the GPU, or a graph, which may do that.
    double weight = 0;  ///< How likely it ends a frame, 0..1.
};

/// The time looked at.
struct LoopWindow {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    bool hasEnded = false;   ///< Nothing follows.
    std::uint64_t calls = 0; ///< Of all threads.
};

/// The steps of one thread, and the loops in them: stretches in which one place is passed again and again with equal
/// calls in between. Use: `add` all, `sum`, then the others.
class LoopCycles {
public:
    void add(const LoopStep &step) { m_steps.push_back(step); }
    void sum();

    /// First steps at places that may end frames, at most `most`: those where the most time was spent.
    std::vector<std::size_t> candidates(std::size_t most) const;
    /// The loops that pass the place of a step, which is the candidate of that rank; their thread is not set.
    std::vector<FrameGuess> loopsAt(std::size_t step, std::size_t rank, const LoopWindow &window) const;
    /// Mean time between the passes of a loop and the next step: the longest one is where a round ends.
    double gapAfter(const FrameGuess &guess) const;

private:
    struct Passes;
    struct Stretch;

    Passes passesOf(std::size_t step) const;
    std::vector<std::uint64_t> sumsOf(const Passes &passes, std::size_t every, bool ofPlaces) const;
    /// Whether there are any, also such that have ended too early.
    bool addLoops(std::vector<FrameGuess> &loops, const Passes &passes, std::size_t every, bool ofPlaces,
                  const LoopWindow &window) const;
    bool describe(FrameGuess &guess, const Passes &passes, Stretch stretch, const LoopWindow &window) const;
    std::size_t bestPhase(const Passes &passes, const Stretch &stretch) const;
    double coverOf(const FrameGuess &guess, const Stretch &stretch, const LoopWindow &window) const;
    void extend(std::size_t &first, std::size_t &last, const Passes &passes, std::size_t every,
                std::int64_t periodNs) const;
    void findStart(FrameGuess &guess, const Passes &passes, std::size_t first) const;
    double gapAt(std::size_t step) const;

    std::vector<LoopStep> m_steps;
    std::vector<std::uint64_t> m_sums; ///< Of the places of all steps before.
};

} // namespace jetscope
