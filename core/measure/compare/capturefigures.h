// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/method/comparison.h"
#include "core/measure/sweep/sweepfile.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// What identifies a span name in two captures.
struct SpanKind {
    std::string name;
    Category category{};
    LaneRole role{};

    auto operator<=>(const SpanKind &) const = default;
};

/// What identifies a piece of the critical path in two captures: "kernel gaussian15". Lanes of one role are added up.
struct PieceKind {
    std::string what;
    LaneRole role{};

    auto operator<=>(const PieceKind &) const = default;
};

/// The spans of one kind: one figure for each piece of the capture.
struct SpanKindFigures {
    CaptureBatches totalMs;   ///< Per frame, with the spans nested in it; per second in a trace without frames.
    CaptureBatches medianMs;  ///< Median duration; NaN where no span begins.
    double medianOfAllMs = 0; ///< Over the whole capture.
    std::uint64_t spans = 0;
};

/// One capture, reduced to what a comparison reads. The frames after warm-up are cut into consecutive pieces of at
/// least 10 frames each, at most about 120 of them; a trace without frames is cut into pieces of equal time.
struct CaptureFigures {
    std::string file;
    TraceOrigin origin;
    std::string frameSize;    ///< "1280x720"; empty if unknown.
    std::string change;       ///< Text of the first change of settings within the capture; empty if there is none.
    std::uint64_t frames = 0; ///< With warm-up; 0 for a trace without frames.
    bool perFrame = true;     ///< False: no frames, so times are per second.
    std::size_t pieces = 0;   ///< The number of figures of each kind of span.
    std::size_t pathPieces = 0;
    std::array<CaptureBatches, kFigures> metrics;
    /// By figure, of those in captureFigures. To display:  Percentiles are those of all frames after warm-up; others
    /// are central figures.
    std::array<std::optional<double>, kFigures> values;
    /// Lower bounds of figures that have one; equal to the value if every span is exact.
    std::array<std::optional<double>, kFigures> leasts;
    std::map<SpanKind, SpanKindFigures> spans;
    std::map<PieceKind, CaptureBatches> path; ///< ms per frame.
    std::string energyReason;                 ///< Why the energy is not known; empty if it is.
    std::vector<StretchCounter> machine; ///< Means of clocks, temperatures, power mode and limits while the frames ran.
};

/// Empty when cancelled. Reads every span: not for threads that must not block. Uses the newest 131,072 frames, and the
/// paths of the newest 32,768.
std::optional<CaptureFigures> figuresOfCapture(const Trace &trace, Progress &progress);

} // namespace jetscope
