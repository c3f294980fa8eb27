// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/trace/trace.h"

#include <optional>
#include <vector>

namespace jetscope {

/// A piece of time in which the CPU, the GPU or both were busy.
struct BusyPiece {
    enum class Kind { CpuOnly, GpuOnly, Both };
    Kind kind = Kind::CpuOnly;
    Interval time;
    bool certain = true; ///< False where only bounded spans say that the GPU was busy.
};

/// The window cut into busy pieces, in order of time. Costs as many steps as the window holds spans: for windows of a
/// few hundred frames.
std::vector<BusyPiece> busyPieces(const Trace &trace, Interval window);

/// How CPU and GPU shared the window. Costs as busyPieces does.
Overlap overlapIn(const Trace &trace, Interval window);

/// Where GL and CUDA spans overlap: one GPU executes both, so this is contention and not parallel work. In order of
/// time; costs as busyPieces does.
Intervals contendedPieces(const Trace &trace, Interval window);

/// A span and the track that it is on (a place in Trace::tracks()).
struct SpanPlace {
    std::size_t track = 0;
    TraceBar bar;
};

/// What the wait in question waited for: the span whose end released it, by the rules of the critical path (PathRules).
/// None where nothing fits.
std::optional<SpanPlace> waitedFor(const Trace &trace, const SpanPlace &wait);

} // namespace jetscope
