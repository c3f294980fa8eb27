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

/// The overhead of tracing.
struct TraceCost {
    double frameRatio = 1; ///< Time of a traced frame divided by that of an untraced frame.
    double noise = 0;      ///< Half the width of the 95 % interval of the ratio.
    std::size_t turns = 0; ///< Number of measured pairs of a traced and an untraced stretch.
};

/// Measures the overhead of tracing while a pipeline runs. At regular intervals, a short stretch of frames is not
/// traced, and its frame times (pipeline start to output complete, which need no spans) are compared with those of the
/// traced stretch before it, so that slow changes of the machine affect both. Not thread-safe.
class TraceCostMeter {
public:
    /// Whether spans are recorded for a frame.
    static bool traces(std::uint32_t frame);
    /// Whether all spans of a frame are recorded: frames in flight next to an untraced stretch lack some.
    static bool isWhole(std::uint32_t frame);
    /// If an untraced stretch begins with this frame, its number of frames; otherwise 0.
    static std::uint32_t untracedFrom(std::uint32_t frame);

    /// Call for every frame once, in order.
    void add(const FrameFigures &figures);
    /// Clears all measurements: after a change of the configuration, frames are not comparable.
    void restart();

    /// Empty until there are enough turns.
    const std::optional<TraceCost> &cost() const { return m_cost; }

private:
    void endTurn();

    std::vector<double> m_traced; ///< Frame times in milliseconds of the current turn.
    std::vector<double> m_untraced;
    std::vector<double> m_ratios; ///< One per finished turn.
    std::optional<TraceCost> m_cost;
};

/// For a status line: "+2.3 ±0.5 %", or "within ±1.2 %" if the difference is below the noise.
std::string traceCostFigure(const TraceCost &cost);
/// For example "tracing makes frames 0.8 % longer (± 0.3 %)", or a statement that there is no difference beyond the
/// noise.
std::string traceCostSentence(const std::optional<TraceCost> &cost);

} // namespace jetscope
