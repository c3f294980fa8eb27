// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinekeys.h"

#include <QCoreApplication>

namespace jetscope {

std::vector<std::pair<QString, QString>> timelineKeys()
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("jetscope::TimelineKeys", text); };
    return {
        {tr("Wheel, W S"), tr("Zoom at the mouse; Ctrl: in small steps")},
        {tr("Shift+wheel, A D"), tr("Move in time")},
        {tr("Drag"), tr("Move in time and over the lanes")},
        {tr("Drag on the ruler, Shift+drag"), tr("Measure a range")},
        {tr("Middle drag"), tr("Zoom to a range")},
        {tr("Z"), tr("Zoom to what is measured or selected")},
        {tr("Double click"), tr("Zoom to a span or frame")},
        {tr("Backspace"), tr("The view before")},
        {tr("F"), tr("Everything")},
        {tr("Home, End"), tr("Start, and the newest frames")},
        {tr("← →"), tr("Previous, next span")},
        {tr("↑ ↓"), tr("Lane above, below")},
        {tr("P, right click"), tr("Pin a lane to the top, let it go")},
        {tr("[ ]"), tr("Previous, next frame")},
        {tr("H"), tr("Hold still, follow again")},
        {tr("Ctrl+F"), tr("Find spans by name")},
        {tr("Esc"), tr("Clear the selection")},
    };
}

} // namespace jetscope
