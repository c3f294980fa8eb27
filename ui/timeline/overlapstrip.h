// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/overlap.h"

#include <vector>

namespace jetscope {

class TraceHistory;

/// A piece of time in which the CPU, the GPU or both were busy.
struct BusyPiece {
    enum class Kind { CpuOnly, GpuOnly, Both };
    Kind kind = Kind::CpuOnly;
    Interval time;
};

/// The window cut into busy pieces, in order of time. Costs as many steps as the window holds spans, so
/// callers keep it to a few hundred frames.
std::vector<BusyPiece> busyPieces(const TraceHistory &history, Interval window);

} // namespace jetscope
