// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "ui/timeline/timelinelayout.h"

class QPainter;

namespace jetscope {

struct Theme;

/// Which part of the rows is in view.
struct RowScroll {
    int y = 0;
    int pinned = 0; ///< Pixels of rows at the top that do not scroll.
};

/// Paints the names of the rows, which stay while the bars move.
void paintRowLabels(QPainter &painter, const TimelineLayout &layout, const Trace &trace, const Theme &theme,
                    RowScroll scroll, int height);

} // namespace jetscope
