// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/capturefigures.h"

#include <vector>

namespace jetscope {

/// A consecutive part of a capture.
struct TimePiece {
    Interval time;
    double divisor = 1; ///< Frames, or seconds in a trace without frames.
};

/// Adds the figures of each kind of span: at most 2,000 kinds, those with the greatest totals. A span belongs to the
/// piece in which it begins. `pieces` are in order. False when cancelled.
bool addSpanKinds(CaptureFigures &capture, const Trace &trace, const std::vector<TimePiece> &pieces,
                  Progress &progress);

} // namespace jetscope
