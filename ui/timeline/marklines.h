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

/// A dashed vertical line over all rows, one pixel wide.
struct MarkLine {
    QRgb color = 0;
    int dash = 0;
    int pitch = 1;

    /// `y`: from the top of the overlap strip over all rows, including those scrolled out of view.
    bool hasInk(int y) const { return y % pitch < dash; }
};

/// Empty for frequent kinds of marks, which are drawn as ticks at the frame numbers.
std::optional<MarkLine> markLine(TraceMark::Kind kind, const Theme &theme);

/// Marks between the pixels `from` and `to` of a scale; of several on one pixel only the most serious. Valid until the
/// trace changes.
std::vector<const TraceMark *> marksSeen(const MarkList &marks, const TimeScale &scale, int from, int to);

} // namespace jetscope
