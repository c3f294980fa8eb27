// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/enumtable.h"
#include "core/figures/framefigures.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

struct Percentiles;
struct RunFigures;

inline constexpr std::size_t kFigures = enumCount<Figure>();

enum class FigureUnit : std::uint8_t { Milliseconds, Share, Bytes, PerSecond, Plain, Cores, Millijoules };

enum class Direction : std::uint8_t { LowerIsBetter, HigherIsBetter };

enum class Scale : std::uint8_t {
    Ratio,      ///< b / a. If a figure is not positive, the comparison uses differences.
    Difference, ///< b - a: for shares such as overlap and headroom.
};

/// How values of frames become the figure of a batch, a stretch or a run.
enum class FigureSum : std::uint8_t {
    Mean,      ///< Of a batch; of a run or a stretch the central figure of the batches (statistics.h).
    Median,    ///< The same with the median of a batch; of a run the 50th percentile of all frames.
    Highest99, ///< The 99th percentile of all frames.
    Pooled,    ///< From sums over all frames.
    Other,     ///< Derived from another figure, or not from frames.
};

/// A figure of a run. `least` is a lower bound if work is known only to have run somewhere inside its spans.
struct FigureReading {
    std::optional<double> value;
    std::optional<double> least;
    std::optional<double> most; ///< With `least` if there is no single value.
    std::string reason;         ///< Why there is no value, where that can be said.
    std::string note{};         ///< What else is to be said.
};

struct FigureRow {
    Figure figure{};
    std::string_view name{};       ///< On the command line and in JSON of comparisons.
    std::string_view label{};      ///< For display.
    std::string_view shortLabel{}; ///< Where there is little room.
    std::string_view meaning{};    ///< What it is, for help.
    FigureUnit unit{};
    FigureSum sum{};
    bool needsGpu = false;       ///< Unknown where nothing of the GPU was recorded.
    bool needsNextFrame = false; ///< Ends with the start of the next frame.
    /// A frame's value; empty if this frame has none. Null: `sum` says that there is no such value.
    std::optional<double> (*ofFrame)(const FrameFigures &) = nullptr;
    /// Its lower bound, where that may differ.
    std::optional<double> (*leastOfFrame)(const FrameFigures &) = nullptr;
    /// Null: the central figure of `ofFrame`, or nothing.
    FigureReading (*ofRun)(const RunFigures &) = nullptr;

    std::string_view key{};                         ///< In JSON of a run; empty if it is not written.
    std::string_view leastKey{};                    ///< Of the bounds.
    std::string_view mostKey{};                     ///< Of the upper bound if `key` is not it.
    Percentiles RunFigures::*percentiles = nullptr; ///< That JSON of a run has in place of the value.

    std::string_view column{}; ///< In the table of a sweep's stretches; empty if sweeps do not measure it.
    bool compared = false;     ///< By comparisons of captures.
    Direction direction{};
    Scale scale{};
    double leastInUnit = 0; ///< Smaller differences are of no interest.
};

/// All rows, in the order of the enum.
std::span<const FigureRow> figureTable();
const FigureRow &rowOf(Figure figure);

/// Figures that sweeps measure, and figures by which captures are compared.
std::span<const Figure> sweepFigures();
std::span<const Figure> captureFigures();

/// The figure that ranks choices unless another one is asked for. Where the source keeps its rate, that rate is the
/// period whatever is chosen.
constexpr Figure rankingFigure(bool isPaced)
{
    return isPaced ? Figure::Latency : Figure::Period;
}

/// Everything empty but the reason if the run has no frames.
FigureReading readingOf(const RunFigures &run, Figure figure);

enum class Digits : std::uint8_t {
    Full, ///< For tables of measurements.
    Few,  ///< For values that change while one looks at them: three digits at most.
};

/// The label inside a sentence: "frame time", "latency", "GPU busy".
std::string figurePhrase(Figure figure);

/// "ms", "frames/s", "mJ"; empty for shares and plain numbers.
std::string_view unitName(FigureUnit unit);
/// "12.34 ms", "41.0 %", "1.20 MB"; "–" if unknown. The only place that says how figures look.
std::string figureText(FigureUnit unit, std::optional<double> value, Digits digits = Digits::Full);
std::string figureText(Figure figure, std::optional<double> value, Digits digits = Digits::Full);
/// The same of a difference: "+0.510 ms", "+3.0 points" for a share.
std::string changeText(FigureUnit unit, double change);

/// The 50th, 95th and 99th percentile as texts; no line for a figure that no frame has.
struct PercentilesLine {
    std::string label;
    std::array<std::string, 3> texts;
};
std::vector<PercentilesLine> percentilesLines(const RunFigures &run);
/// All other figures of a run that are known, as label and text. No lines if the run has no frames.
std::vector<std::pair<std::string, std::string>> figureLines(const RunFigures &run);

} // namespace jetscope
