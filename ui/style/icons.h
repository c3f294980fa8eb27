// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>

namespace jetscope {

enum class Glyph {
    Logo,
    App,
    Pause,
    Play,
    Step,
    Record,
    Stop,
    Warning,
    Close,
    Up,
    Down,
    Pin,
    Live,
    Trace,
    Board,
    Lab,
    Open,
    Compare,
    Export,
    Search,
    Eye
};
inline constexpr Glyph kLastGlyph = Glyph::Eye;

/// An icon drawn in the colours of the current theme; needs no font or file. App is the icon of the program, whose
/// colours are those of its file in packaging/desktop.
QIcon glyphIcon(Glyph glyph);

} // namespace jetscope
