// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/capturefigures.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// One or several captures of the same choice.
using CaptureSide = std::span<const CaptureFigures>;

/// What the two sides are, for sentences.
enum class ComparedSides : std::uint8_t {
    Captures,
    Running, ///< A was kept from a running pipeline, B is what the pipeline does now; neither is a file.
};

/// What a comparison says about one row.
enum class RowVerdict : std::uint8_t {
    Better,
    Worse,
    Unchanged,     ///< Not shown to differ.
    TooFewFrames,  ///< Or too few rounds of a sweep.
    Unknown,       ///< A side lacks the figure.
    NotComparable, ///< The sides are not comparable; the reason is in CaptureComparison::noVerdict.
};
/// "better", "too few frames", …
std::string_view verdictName(RowVerdict verdict);

/// A figure of both sides: medians over the captures of a side.
struct ComparedFigure {
    std::optional<double> a;
    std::optional<double> b;
    /// Lower bounds, if a or b is only an upper bound.
    std::optional<double> aAtLeast = {};
    std::optional<double> bAtLeast = {};
    /// The estimate with its interval, on which the verdict is based. Its value is not exactly b - a, because it is the
    /// difference of trimmed means of pieces. Its own verdict is not valid.
    Difference difference;
    RowVerdict verdict = RowVerdict::Unknown;

    double change() const { return a && b ? *b - *a : 0; }
    /// Whether the difference may be stated: its noise is known, and the sides are comparable.
    bool isStated() const { return a && b && difference.enough && verdict != RowVerdict::NotComparable; }
    bool differs() const { return verdict == RowVerdict::Better || verdict == RowVerdict::Worse; }
};

/// Sets the verdict from the difference. There is none if the figures that are displayed contradict it.
void judge(ComparedFigure &figure, const ComparisonMethod &method);

/// How much worse b is than a, as a share of a; for a share, such as overlap, the difference itself. Negative if it is
/// better; empty without figures.
std::optional<double> worseBy(const ComparedFigure &figure, Figure of);

struct ComparedMetric {
    Figure metric{};
    ComparedFigure figure;
};

struct ComparedSpans {
    SpanKind kind;
    ComparedFigure totalMs;  ///< Per frame; per second if a side has no frames.
    ComparedFigure medianMs; ///< Of one span.
};

struct ComparedPiece {
    PieceKind kind;
    ComparedFigure ms; ///< Per frame.
};

/// Where CaptureComparison::metrics has this figure, which must be in captureFigures.
std::size_t placeOf(Figure metric);

/// B compared with A.
struct CaptureComparison {
    ComparedSides sides = ComparedSides::Captures;
    std::string nameA = "A"; ///< What the sentences call the first side.
    /// What of the work differs, "the filters differ (… in A, … in B)"; empty if nothing does.
    std::string otherWork;
    std::string noVerdict;     ///< Why no row has a verdict, in a sentence without a full stop; otherwise empty.
    std::string settings;      ///< Settings that differ: "sync: finish → event"; may be empty.
    std::uint64_t framesA = 0; ///< Of all captures of the side.
    std::uint64_t framesB = 0;
    bool betweenRuns = false; ///< The noise from run to run is known.
    bool perFrame = true;
    std::vector<ComparedMetric> metrics; ///< Those of captureFigures, in their order.
    std::vector<ComparedPiece> path;     ///< By the change in ms per frame, greatest first.
    std::vector<ComparedSpans> spans;    ///< The same.
    std::size_t spansLeftOut = 0;        ///< Kinds of spans that take little time and have no row.

    /// Of a figure in captureFigures.
    const ComparedFigure &of(Figure metric) const { return metrics.at(placeOf(metric)).figure; }
    ComparedFigure &of(Figure metric) { return metrics.at(placeOf(metric)).figure; }
};

/// Compares two sides of one or several captures each, which must not be empty. The unit and its noise are those of
/// compareUnpaired. Equal sides are reported as different with a probability of 1 % at most for the period, for the
/// other metrics together, for the path and for the spans (Bonferroni within each of them).
/// Different work has no verdict unless it is compared `anyway`.
CaptureComparison compareCaptures(CaptureSide a, CaptureSide b, ComparedSides sides = ComparedSides::Captures,
                                  std::string_view nameA = "A", bool anyway = false);

/// What differs between captures, and what to do about it; both empty if nothing does.
struct CaptureDifference {
    std::string what;
    std::string remedy;

    std::string sentence() const { return what.empty() ? what : what + ": " + remedy; }
};
/// What of the work differs: source, frame size, and what the table of settings calls work.
CaptureDifference otherWork(CaptureSide a, CaptureSide b, ComparedSides sides = ComparedSides::Captures,
                            std::string_view nameA = "A");

/// Why two sides are not comparable even if they do the same work, in a sentence with the remedy and without a full
/// stop: another device or version; settings that differ within a side or changed within a capture; clocks or a
/// temperature that moved. Empty if they are.
std::string captureRefusal(CaptureSide a, CaptureSide b, ComparedSides sides = ComparedSides::Captures,
                           std::string_view nameA = "A");

/// The result in a sentence or two.
std::string comparisonWords(const CaptureComparison &comparison);

/// "+0.430 to +0.590 ms": the interval of a difference, which excludes 0 where there is a verdict; "–" if unknown.
std::string intervalText(const ComparedFigure &figure, FigureUnit unit);

/// Both in one: "+0.510 ms (+5.1 %; +0.430 to +0.590 ms)"; "–" where the difference may not be stated.
std::string changeWithInterval(const ComparedFigure &figure, FigureUnit unit);

/// "+0.510 ms (+5.1 %)", in percent of A; "+3.0 points" for a share; "–" if unknown, or if there is too little to know
/// its noise.
std::string differenceText(const ComparedFigure &figure, FigureUnit unit);

} // namespace jetscope
