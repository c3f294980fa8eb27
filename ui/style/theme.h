// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <QColor>
#include <QFont>
#include <QString>

class QApplication;

namespace jetscope {

/// The colours of the window, for the style sheet and for what is painted by hand. Text colours keep WCAG AA
/// contrast on every surface they are used on.
struct Theme {
    QString name;
    bool dark = true;

    QColor window; ///< Behind the video.
    QColor panel;  ///< Bars, docks, tabs.
    QColor card;   ///< Buttons and cards on a panel.
    QColor hover;
    QColor border;
    QColor text;
    QColor muted; ///< Second-rank text.
    QColor disabled;
    QColor accent;
    QColor accentText; ///< Accent as text on `panel` and `card`.
    QColor selected;   ///< Behind `selectedText`.
    QColor selectedText;
    QColor good;
    QColor goodFill;
    QColor warn;
    QColor warnFill;
    QColor bad;
    QColor badFill;

    QColor band; ///< Every other frame of the timeline.
    QColor cpuOnly;
    QColor gpuOnly;
    QColor both;
    QColor barText; ///< On bars of work in the timeline.
    QColor wait;    ///< Bars of waits, quieter than work; `text` is readable on it.
};

const Theme &darkTheme();
const Theme &lightTheme();

/// A bar of the timeline and the text on it.
struct BarColors {
    QColor fill;
    QColor text;
};
BarColors barColors(Category category, const Theme &theme);

/// The one in force. UI thread.
const Theme &theme();

/// Inter where it is installed, else the system's own.
QFont windowFont();

/// Palette and style sheet of the whole program.
void applyTheme(QApplication &application, const Theme &wanted);

} // namespace jetscope
