// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/bitmapfont.h"

#include <array>
#include <cstdint>

namespace jetscope {

namespace {

constexpr int kGlyphWidth = 5;

/// Rows from the top; the highest of the five bits is the leftmost dot.
struct Glyph {
    char character;
    std::array<std::uint8_t, kGlyphHeight> rows;
};

constexpr std::array<Glyph, 17> kGlyphs{{
    {'0', {0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110}},
    {'1', {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110}},
    {'2', {0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111}},
    {'3', {0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110}},
    {'4', {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010}},
    {'5', {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110}},
    {'6', {0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110}},
    {'7', {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000}},
    {'8', {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110}},
    {'9', {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100}},
    {':', {0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b00000}},
    {'.', {0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00100, 0b00100}},
    {'A', {0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001}},
    {'E', {0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111}},
    {'F', {0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000}},
    {'M', {0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001}},
    {'R', {0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001}},
}};

void drawGlyph(Canvas &canvas, const Glyph &glyph, int x, int y, int scale, Colour colour)
{
    for (int row = 0; row < kGlyphHeight; ++row) {
        const unsigned dots = glyph.rows[static_cast<std::size_t>(row)];
        for (int column = 0; column < kGlyphWidth; ++column)
            if (dots >> (kGlyphWidth - 1 - column) & 1)
                canvas.fill(x + column * scale, y + row * scale, scale, scale, colour);
    }
}

} // namespace

int textWidth(std::string_view text, int scale)
{
    return text.empty() ? 0 : (static_cast<int>(text.size()) * kGlyphAdvance - 1) * scale;
}

void drawText(Canvas &canvas, std::string_view text, int x, int y, int scale, Colour colour)
{
    for (const char character : text) {
        for (const Glyph &glyph : kGlyphs)
            if (glyph.character == character)
                drawGlyph(canvas, glyph, x, y, scale, colour);
        x += kGlyphAdvance * scale;
    }
}

} // namespace jetscope
