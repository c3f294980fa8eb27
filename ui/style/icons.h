// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>

namespace jetscope {

enum class Glyph { Logo, Pause, Play, Step, Record, Stop, Warning, Close, Up, Down, Pin };

/// An icon drawn in the colours of the current theme; needs no font or file.
QIcon glyphIcon(Glyph glyph);

} // namespace jetscope
