// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/canvas.h"

#include <string_view>

namespace jetscope {

/// Advance and height of a character in pixels, at scale 1.
inline constexpr int kGlyphAdvance = 6;
inline constexpr int kGlyphHeight = 7;

int textWidth(std::string_view text, int scale);

/// Draws text in 5x7 dots of `scale` pixels each. Supports the test card's characters: digits, the letters of FRAME,
/// ':' and '.'. All others are drawn as a space.
void drawText(Canvas &canvas, std::string_view text, int x, int y, int scale, Colour colour);

} // namespace jetscope
