// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

struct FrameFigures;

/// What tracing does to the frames that it looks at.
struct TraceCost {
    double frameRatio = 1; ///< Time of a traced frame over that of an untraced one.
    double noise = 0;      ///< Half the width of the 95 % interval of the ratio.
    std::size_t turns = 0; ///< Pairs of stretches that it comes from.
};

/// Measures what tracing costs while a pipeline runs: every so many frames a short stretch is not traced, and its
/// frames' times (pipeline start to output complete, which need no spans) are compared with those of the stretch before
/// it, so that a drift of the machine counts for both. One thread.
class TraceCostMeter {
public:
    /// Whether spans are to be recorded for a frame.
    static bool traces(std::uint32_t frame);
    /// Whether a frame's spans are all there: of frames in flight beside an untraced stretch some are missing.
    static bool isWhole(std::uint32_t frame);
    /// How many frames of an untraced stretch begin with this frame; 0 for any other.
    static std::uint32_t untracedFrom(std::uint32_t frame);

    /// Every frame once, in order.
    void add(const FrameFigures &figures);
    /// Forgets everything: after a switch other frames would be compared.
    void restart();

    /// None before there are enough turns.
    const std::optional<TraceCost> &cost() const { return m_cost; }

private:
    void endTurn();

    std::vector<double> m_traced; ///< Milliseconds of the frames of the turn under way.
    std::vector<double> m_untraced;
    std::vector<double> m_ratios; ///< Of the turns so far.
    std::optional<TraceCost> m_cost;
};

/// For a status line: "+2.3 ±0.5 %", or "within ±1.2 %" where that is all that is known.
std::string traceCostFigure(const TraceCost &cost);
/// "tracing makes frames 0.8 % longer (± 0.3 %)", or that there is no difference beyond the noise.
std::string traceCostSentence(const std::optional<TraceCost> &cost);

} // namespace jetscope
