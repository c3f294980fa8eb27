// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/testcard.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace jetscope {

namespace {

/// Advance and height of a character in pixels, at scale 1.
constexpr int kGlyphAdvance = 6;
constexpr int kGlyphHeight = 7;

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

int textWidth(std::string_view text, int scale)
{
    return text.empty() ? 0 : (static_cast<int>(text.size()) * kGlyphAdvance - 1) * scale;
}

/// Draws text in 5x7 dots of `scale` pixels each. Supports the test card's characters: digits, the letters of FRAME,
/// ':' and '.'. All others are drawn as a space.
void drawText(Canvas &canvas, std::string_view text, int x, int y, int scale, Colour colour)
{
    for (const char character : text) {
        for (const Glyph &glyph : kGlyphs)
            if (glyph.character == character)
                drawGlyph(canvas, glyph, x, y, scale, colour);
        x += kGlyphAdvance * scale;
    }
}

// The scene is drawn in the units of a 1280x720 picture and scaled to the real size.
constexpr int kSceneWidth = 1280;
constexpr int kSceneHeight = 720;
constexpr int kPavement = 440;
constexpr int kRoad = 462;
constexpr int kSignTop = 28;
constexpr int kLineHeight = kGlyphHeight + 2; // In dots of the text.

constexpr Colour kInk{24, 28, 34};
constexpr Colour kPaper{236, 238, 232};
constexpr Colour kSignBlue{18, 52, 92};
constexpr Colour kGlass{150, 190, 214};

struct Box {
    int x, y, width, height;
};

/// Converts scene units to pixels. Scales edges instead of sizes, so that adjacent shapes stay adjacent at every size.
class Scene {
public:
    explicit Scene(Canvas &canvas) : m_canvas(canvas) {}

    int x(int units) const { return scaled(units, m_canvas.width(), kSceneWidth); }
    int y(int units) const { return scaled(units, m_canvas.height(), kSceneHeight); }

    void box(Box box, Colour colour)
    {
        const int left = x(box.x);
        const int top = y(box.y);
        m_canvas.fill(left, top, x(box.x + box.width) - left, y(box.y + box.height) - top, colour);
    }

    void disc(int centreX, int centreY, int radius, Colour colour)
    {
        m_canvas.disc(x(centreX), y(centreY), std::min(x(radius), y(radius)), colour);
    }

    /// A vertical gradient, drawn one pixel row at a time.
    void gradient(int top, int bottom, Colour from, Colour to)
    {
        const int first = y(top);
        const int last = y(bottom);
        for (int row = first; row < last; ++row)
            m_canvas.fill(0, row, m_canvas.width(), 1, mixed(from, to, row - first, last - first));
    }

private:
    static int scaled(int units, int pixels, int of)
    {
        const auto product = static_cast<long long>(units) * pixels;
        return static_cast<int>(product >= 0 ? product / of : -((-product + of - 1) / of));
    }

    static Colour mixed(Colour from, Colour to, int part, int whole)
    {
        const auto mix = [part, whole](int a, int b) { return static_cast<std::uint8_t>(a + (b - a) * part / whole); };
        return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)};
    }

    Canvas &m_canvas;
};

/// Pixels per dot of the sign's text.
int dotOfText(const Canvas &canvas)
{
    return std::max(1, std::min(canvas.width() * 6 / kSceneWidth, canvas.height() * 6 / kSceneHeight));
}

/// The position of an object that crosses the scene at `speed` units per frame; it re-enters after it has left.
int travelled(std::uint64_t index, int speed, int start, int span)
{
    const auto wrap = static_cast<std::uint64_t>(span);
    return static_cast<int>((index % wrap * static_cast<std::uint64_t>(speed) + static_cast<std::uint64_t>(start))
                            % wrap);
}

void drawCar(Scene &scene, int x, int y, Colour body)
{
    scene.box({x + 40, y, 110, 34}, body);
    scene.box({x + 52, y + 8, 40, 24}, kGlass);
    scene.box({x + 100, y + 8, 40, 24}, kGlass);
    scene.box({x, y + 32, 190, 40}, body);
    scene.box({x + 180, y + 40, 10, 12}, {250, 236, 170});
    scene.box({x, y + 40, 8, 12}, {170, 30, 24});
    for (const int wheel : {x + 44, x + 146}) {
        scene.disc(wheel, y + 74, 20, kInk);
        scene.disc(wheel, y + 74, 9, {176, 180, 184});
    }
}

void drawVan(Scene &scene, int x, int y)
{
    scene.box({x, y, 170, 74}, {58, 110, 168});
    scene.box({x + 8, y + 10, 34, 26}, kGlass);
    scene.box({x + 58, y + 12, 98, 40}, {206, 216, 222});
    scene.box({x, y + 48, 8, 12}, {250, 236, 170});
    scene.disc(x + 36, y + 74, 16, kInk);
    scene.disc(x + 134, y + 74, 16, kInk);
}

} // namespace

TestCard::TestCard(const ImageLayout &layout, double fps) : m_layout(layout), m_fps(fps), m_still(layout.bytes)
{
    Canvas canvas(m_layout, m_still.data());
    paintSky(canvas);
    paintCity(canvas);
    paintChart(canvas);
    paintRoad(canvas);
    paintSign(canvas);
}

void TestCard::draw(std::uint64_t index, std::byte *into) const
{
    std::memcpy(into, m_still.data(), m_still.size());
    Canvas canvas(m_layout, into);
    drawSignal(canvas, index);
    drawDashes(canvas, index);
    drawTraffic(canvas, index);
    drawText(canvas, index);
}

void TestCard::paintSky(Canvas &canvas) const
{
    Scene scene(canvas);
    scene.gradient(0, kPavement, {92, 136, 184}, {226, 206, 178});
    scene.disc(1120, 110, 42, {252, 238, 196});
}

void TestCard::paintCity(Canvas &canvas) const
{
    Scene scene(canvas);
    constexpr std::array<Box, 7> kFar{{{0, 250, 130, 190},
                                       {150, 210, 90, 230},
                                       {330, 170, 80, 270},
                                       {560, 230, 120, 210},
                                       {720, 190, 70, 250},
                                       {1010, 200, 80, 240},
                                       {1190, 240, 90, 200}}};
    for (const Box &house : kFar)
        scene.box(house, {150, 158, 166});
    constexpr std::array<Box, 6> kNear{{{30, 300, 110, 140},
                                        {190, 170, 100, 270},
                                        {300, 240, 90, 200},
                                        {430, 280, 130, 160},
                                        {600, 220, 100, 220},
                                        {750, 300, 90, 140}}};
    constexpr std::array<Colour, 3> kWalls{{{128, 112, 96}, {98, 104, 114}, {150, 128, 100}}};
    for (std::size_t i = 0; i < kNear.size(); ++i) {
        const Box &house = kNear[i];
        scene.box(house, kWalls[i % kWalls.size()]);
        for (int y = house.y + 14; y + 20 < kPavement; y += 30)
            for (int x = house.x + 10; x + 14 <= house.x + house.width - 6; x += 22)
                scene.box({x, y, 12, 16}, (x * 7 + y * 5) % 4 == 0 ? Colour{244, 214, 132} : Colour{58, 66, 78});
    }
    for (const int trunk : {160, 580, 850}) {
        scene.box({trunk - 4, 390, 8, 50}, {84, 62, 44});
        scene.disc(trunk, 372, 30, {62, 104, 60});
        scene.disc(trunk - 14, 384, 20, {74, 122, 68});
    }
}

void TestCard::paintChart(Canvas &canvas) const
{
    Scene scene(canvas);
    scene.box({930, 330, 10, 110}, kInk);
    scene.box({1200, 330, 10, 110}, kInk);
    scene.box({890, 190, 360, 170}, kInk);
    constexpr std::array<Colour, 8> kBars{{{236, 236, 236},
                                           {232, 220, 40},
                                           {40, 214, 220},
                                           {44, 196, 60},
                                           {204, 52, 196},
                                           {212, 44, 40},
                                           {40, 64, 208},
                                           {16, 16, 16}}};
    for (int i = 0; i < 8; ++i)
        scene.box({898 + i * 43, 198, 43, 70}, kBars[static_cast<std::size_t>(i)]);
    for (int i = 0; i < 43; ++i) {
        const auto level = static_cast<std::uint8_t>(i * 6);
        scene.box({898 + i * 8, 268, 8, 34}, {level, level, level});
    }
    // Line pairs that become finer to the right, down to single scene units.
    scene.box({898, 306, 344, 46}, kPaper);
    for (int x = 902, step = 12; x < 1238 && step > 0; x += 56, step -= 2)
        for (int line = 0; line + step <= 48; line += 2 * step)
            scene.box({x + line, 310, step, 38}, kInk);
}

void TestCard::paintRoad(Canvas &canvas) const
{
    Scene scene(canvas);
    scene.box({0, kPavement, kSceneWidth, kRoad - kPavement}, {150, 148, 142});
    scene.box({0, kRoad - 6, kSceneWidth, 6}, {196, 194, 186});
    scene.gradient(kRoad, kSceneHeight, {88, 90, 94}, {62, 64, 68});
    scene.box({0, 700, kSceneWidth, 8}, {210, 208, 198});
}

void TestCard::paintSign(Canvas &canvas) const
{
    Scene scene(canvas);
    scene.box({396, 40, 8, 410}, {112, 118, 124});
    scene.box({876, 40, 8, 410}, {112, 118, 124});
    // In dots of the text instead of scene units, so that the sign holds the text at every size.
    const int dot = dotOfText(canvas);
    const int width = textWidth("FRAME 000000", dot) + 14 * dot;
    const int height = 2 * kLineHeight * dot + 2 * dot;
    const int x = (canvas.width() - width) / 2;
    const int y = scene.y(kSignTop);
    canvas.fill(x - dot, y - dot, width + 2 * dot, height + 2 * dot, kPaper);
    canvas.fill(x, y, width, height, kSignBlue);
}

void TestCard::drawDashes(Canvas &canvas, std::uint64_t index) const
{
    constexpr int kDashEvery = 160;
    Scene scene(canvas);
    for (int x = -travelled(index, 4, 0, kDashEvery); x < kSceneWidth; x += kDashEvery)
        scene.box({x, 576, 84, 10}, {224, 222, 206});
}

void TestCard::drawTraffic(Canvas &canvas, std::uint64_t index) const
{
    constexpr int kSpan = kSceneWidth + 400; // Lets the longest vehicle leave before it returns.
    Scene scene(canvas);
    drawVan(scene, kSceneWidth - travelled(index, 3, 420, kSpan), 474);
    drawCar(scene, travelled(index, 5, 420, kSpan) - 200, 598, {176, 44, 40});
    drawCar(scene, travelled(index, 5, 1260, kSpan) - 200, 598, {206, 160, 52});
}

void TestCard::drawSignal(Canvas &canvas, std::uint64_t index) const
{
    constexpr std::array<Colour, 3> kLamps{{{226, 48, 40}, {240, 176, 44}, {56, 200, 84}}};
    Scene scene(canvas);
    scene.box({340, 350, 6, 100}, kInk);
    scene.box({328, 282, 30, 80}, kInk);
    const auto lit = static_cast<std::size_t>(index / 45 % kLamps.size());
    for (std::size_t i = 0; i < kLamps.size(); ++i)
        scene.disc(343, 298 + static_cast<int>(i) * 24, 9, i == lit ? kLamps[i] : Colour{58, 62, 66});
}

void TestCard::drawText(Canvas &canvas, std::uint64_t index) const
{
    Scene scene(canvas);
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "FRAME %06llu", static_cast<unsigned long long>(index));
    const std::array<std::string, 2> lines{number.data(), timeCode(index, m_fps)};
    const int dot = dotOfText(canvas);
    int y = scene.y(kSignTop) + 2 * dot;
    for (const std::string &line : lines) {
        // If a small picture cannot hold all the text, show its end, which identifies the frame.
        const int width = textWidth(line, dot);
        const int x = std::min((canvas.width() - width) / 2, canvas.width() - width);
        jetscope::drawText(canvas, line, x, y, dot, kPaper);
        y += kLineHeight * dot;
    }
}

std::string timeCode(std::uint64_t index, double fps)
{
    const auto milliseconds = static_cast<unsigned long long>(static_cast<double>(index) * 1000.0 / fps);
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%02llu:%02llu:%02llu.%03llu", milliseconds / 3'600'000,
                  milliseconds / 60'000 % 60, milliseconds / 1000 % 60, milliseconds % 1000);
    return text.data();
}

} // namespace jetscope
