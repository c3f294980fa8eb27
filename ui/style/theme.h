// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/report/htmlparts.h"
#include "core/recording/span.h"

#include <QColor>
#include <QFont>
#include <QFontDatabase>
#include <QString>

#include <array>

class QApplication;

namespace jetscope {

/// Colours of the window, for the style sheet and for custom painting. Text colours keep WCAG AA contrast on every
/// surface that they are used on.
struct Theme {
    QString name;
    bool dark = true;

    QColor window; ///< Background of the video.
    QColor panel;  ///< Background of bars, docks and tabs.
    QColor card;   ///< Background of buttons and cards on a panel.
    QColor hover;
    QColor border;
    QColor text;
    QColor muted; ///< Secondary text.
    QColor disabled;
    QColor accent;
    QColor accentText; ///< Accent colour for text on `panel` and `card`.
    QColor selected;   ///< Background of `selectedText`.
    QColor selectedText;
    QColor good;
    QColor goodFill;
    QColor warn;
    QColor warnFill;
    QColor bad;
    QColor badFill;

    QColor band; ///< Background of every other frame in the timeline.
    QColor cpuOnly;
    QColor gpuOnly;
    QColor both;
    QColor barText; ///< Text on bars of work in the timeline.
    QColor wait;    ///< Bars of waits, less prominent than work; `text` is readable on it.

    std::array<QColor, kHeatLevels> heat; ///< Heat map from best to worst, as in reports; `text` is readable on them.
};

const Theme &darkTheme();
const Theme &lightTheme();

/// Colours of a timeline bar and its text.
struct BarColors {
    QColor fill;
    QColor text;
};
BarColors barColors(Category category, const Theme &theme);

/// Current theme. UI thread.
const Theme &theme();

inline constexpr int kWindowFontPixels = 13;
/// Inter if it is installed, else the system font. Larger than kWindowFontPixels, in the same ratio, where the
/// desktop's own font is larger than those that desktops come with.
QFont windowFont(QFont desktop = QFontDatabase::systemFont(QFontDatabase::GeneralFont));
/// Pixels that were chosen for text of kWindowFontPixels, scaled to the application's font; never fewer. For what is
/// painted; a widget's own font is followed by scaledToFont.
int fontScaled(int pixels);
/// `font` with fontScaled pixels.
QFont paintedFont(QFont font, int pixels);

/// Sets palette and style sheet of the application. Texts of the sheet grow with the application's font as far as the
/// window's least size still fits into the primary screen.
void applyTheme(QApplication &application, const Theme &wanted);
/// From the next applyTheme on, a screen of this width in place of the primary one; for tests.
void setScreenWidth(int width);

} // namespace jetscope
