// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "ui/timeline/timescale.h"

#include <QRgb>

#include <optional>
#include <vector>

namespace jetscope {

struct Theme;

/// A broken line from top to bottom, one pixel wide.
struct MarkLine {
    QRgb color = 0;
    int dash = 0;
    int pitch = 1;

    /// `y` counts from the top of the overlap strip over all rows, scrolled away or not.
    bool hasInk(int y) const { return y % pitch < dash; }
};

/// None for marks of which there may be too many: they are ticks at the numbers of the frames.
std::optional<MarkLine> markLine(TraceMark::Kind kind, const Theme &theme);

/// The marks seen between the pixels `from` and `to` of a scale: of those that share a pixel the most serious one.
/// Valid until the trace changes.
std::vector<const TraceMark *> marksSeen(const MarkList &marks, const TimeScale &scale, int from, int to);

} // namespace jetscope
