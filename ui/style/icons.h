// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>

namespace jetscope {

enum class Glyph { Logo, Pause, Play, Step, Record, Stop, Warning, Close, Up, Down, Pin };

/// A small drawing in the colours of the theme in force; needs no font and no file.
QIcon glyphIcon(Glyph glyph);

} // namespace jetscope
