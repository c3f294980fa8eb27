// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "ui/timeline/timelinelayout.h"

class QPainter;

namespace jetscope {

struct Theme;

/// Visible part of the rows.
struct RowScroll {
    int y = 0;
    int pinned = 0; ///< Height of the rows at the top that do not scroll.
};

/// Paints the row names, which do not move when the user pans.
void paintRowLabels(QPainter &painter, const TimelineLayout &layout, const Trace &trace, const Theme &theme,
                    RowScroll scroll, int height);

} // namespace jetscope
