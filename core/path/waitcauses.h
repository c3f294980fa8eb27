// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/trace/trace.h"

#include <optional>
#include <vector>

namespace jetscope {

/// An interval in which the CPU, the GPU or both were busy.
struct BusyPiece {
    enum class Kind { CpuOnly, GpuOnly, Both };
    Kind kind = Kind::CpuOnly;
    Interval time;
    bool certain = true; ///< False if only bounded spans show that the GPU was busy.
};

/// The busy intervals of the window, in order of time. The cost is proportional to the number of spans in the window:
/// suited for windows of a few hundred frames.
std::vector<BusyPiece> busyPieces(const Trace &trace, Interval window);

/// How CPU and GPU shared the window. Same cost as busyPieces.
Overlap overlapIn(const Trace &trace, Interval window);

/// Intervals in which GL and CUDA spans overlap: one GPU executes both, so this is contention and not parallel work. In
/// order of time; same cost as busyPieces.
Intervals contendedPieces(const Trace &trace, Interval window);

/// A span and the index of its track in Trace::tracks().
struct SpanPlace {
    std::size_t track = 0;
    TraceBar bar;
};

/// The span whose end released the given wait, by the rules of the critical path (PathRules). Empty if no span matches.
std::optional<SpanPlace> waitedFor(const Trace &trace, const SpanPlace &wait);

} // namespace jetscope
