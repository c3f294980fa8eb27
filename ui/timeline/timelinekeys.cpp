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
        {tr("Z"), tr("Zoom to the measured range or the selection")},
        {tr("Double click"), tr("Zoom to a span or frame")},
        {tr("Backspace"), tr("Previous view")},
        {tr("F"), tr("Show the whole trace")},
        {tr("Home, End"), tr("First frames, newest frames")},
        {tr("← →"), tr("Previous or next span")},
        {tr("↑ ↓"), tr("Lane above or below")},
        {tr("P, X"), tr("Pin a lane to the top, hide it; right click for all")},
        {tr("Alt+↑ ↓, drag a name"), tr("Move a lane up or down")},
        {tr("Ctrl+↑ ↓, Enter"), tr("Go through names; fold a group, show all levels")},
        {tr("L"), tr("Filter the lanes by name")},
        {tr("[ ]"), tr("Previous or next frame")},
        {tr("H"), tr("Stop or resume following the newest frames")},
        {tr("Ctrl+F"), tr("Find spans by name")},
        {tr("Esc"), tr("Clear the selection")},
    };
}

} // namespace jetscope
