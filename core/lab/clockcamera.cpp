// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/clockcamera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jetscope {

namespace {

// What a pixel shows: the surroundings, white, black, or the cell of a bit.
constexpr std::uint8_t kSurround = 0;
constexpr std::uint8_t kWhite = 1;
constexpr std::uint8_t kBlack = 2;
constexpr std::uint8_t kCells = 3;
constexpr std::uint8_t kCover = kCells + kClockRows * kClockBits;
constexpr std::size_t kPartCount = kCover + 1;

constexpr double kSurroundLevel = 0.25;
constexpr double kCoverLevel = 0.5;
constexpr int kKernelUnit = 1 << 12;

bool isIn(const ClockBox &box, const ClockPoint &point)
{
    return point.x >= box.x && point.x < box.x + box.width && point.y >= box.y && point.y < box.y + box.height;
}

std::uint8_t partAt(const ClockPoint &point)
{
    if (!isIn({0, 0, kClockWidth, kClockHeight}, point))
        return kSurround;
    for (std::size_t mark = 0; mark < kClockMarks.size(); ++mark)
        if (isIn(aroundMark(mark, kClockMark), point))
            return isIn(aroundMark(mark, kClockMarkHole), point) && !isIn(aroundMark(mark, kClockMarkCentre), point)
                ? kWhite
                : kBlack;
    for (std::size_t cell = 1; cell < kClockTurnCells.size(); ++cell)
        if (isIn(kClockTurnCells[cell], point))
            return kBlack;
    for (int row = 0; row < kClockRows; ++row)
        for (int bit = 0; bit < kClockBits; ++bit)
            if (isIn(clockCell(static_cast<ClockRow>(row), bit), point))
                return static_cast<std::uint8_t>(kCells + row * kClockBits + bit);
    return kWhite;
}

/// Whether the cell with that part's number is black.
bool isBlackCell(int cell, const ClockCode &code)
{
    const int row = cell / kClockBits;
    const std::uint16_t word = row < 2 ? code.data : code.check;
    const bool isSet = word >> (cell % kClockBits) & 1;
    return row % 2 == 0 ? isSet : !isSet;
}

std::uint8_t byteOf(double level)
{
    return static_cast<std::uint8_t>(std::lround(std::clamp(level, 0.0, 1.0) * 255));
}

} // namespace

std::int64_t SteadyClock::shownAt(double ms) const
{
    return static_cast<std::int64_t>(std::floor(std::floor(ms / periodMs) * periodMs));
}

ClockCamera::ClockCamera(const CameraLook &look, int width, int height, std::uint64_t seed)
    : m_look(look),
      m_clock{1000 / look.screenHz},
      m_width(width),
      m_height(height),
      m_random(seed * 0x9E3779B97F4A7C15U | 1),
      m_parts(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kSurround)
{
    if (look.fault == ClockFault::Two) {
        place(0.75, look.part / 2);
        place(0.25, look.part / 2);
    } else if (look.fault != ClockFault::Absent) {
        place(0.5, look.part);
    }
    if (look.fault == ClockFault::Covered)
        for (int y = 0; y < height; ++y)
            std::fill_n(m_parts.begin() + static_cast<std::ptrdiff_t>(y) * width + width / 2, width / 5, kCover);
    const double sigma = look.blurPixels;
    for (int i = 0; sigma > 0 && i <= std::ceil(3 * sigma); ++i)
        m_kernel.push_back(static_cast<int>(std::exp(-i * i / (2 * sigma * sigma)) * kKernelUnit
                                            / (sigma * std::sqrt(2 * std::numbers::pi))));
}

void ClockCamera::place(double centreX, double part)
{
    constexpr double kDistance = 2; ///< Of the camera, in widths of the clock.
    const double turn = m_look.turnDegrees * std::numbers::pi / 180;
    const double tilt = m_look.tiltDegrees * std::numbers::pi / 180;
    const double scale = part * m_width;
    const double flip = m_look.fault == ClockFault::Mirrored ? -1 : 1;
    std::array<ClockPoint, 4> seen;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const double x = (kClockMarks[i].x - kClockWidth / 2) / kClockWidth;
        const double y = (kClockMarks[i].y - kClockHeight / 2) / kClockWidth;
        const double depth = kDistance / (kDistance + x * std::sin(tilt));
        const ClockPoint flat{flip * x * std::cos(tilt) * depth * scale, y * depth * scale};
        seen[i] = {centreX * m_width + flat.x * std::cos(turn) - flat.y * std::sin(turn),
                   0.5 * m_height + flat.x * std::sin(turn) + flat.y * std::cos(turn)};
    }
    m_marks = seen;
    if (const std::optional<Homography> back = Homography::between(seen, kClockMarks))
        paintClock(*back);
}

void ClockCamera::paintClock(const Homography &back)
{
    for (int y = 0; y < m_height; ++y)
        for (int x = 0; x < m_width; ++x)
            if (const std::uint8_t part = partAt(back.map({x + 0.5, y + 0.5})); part != kSurround)
                m_parts[static_cast<std::size_t>(y) * static_cast<std::size_t>(m_width) + static_cast<std::size_t>(x)] =
                    part;
}

/// How dark each cell is on average over an exposure that ends then, from 0 to 1. What the screen shows meanwhile is
/// mixed, and what it showed before as far as its light still lingers.
std::vector<double> ClockCamera::darkCells(double exposedMs) const
{
    constexpr double kLingers = 6; ///< Time constants.
    const double period = m_clock.periodMs;
    const double response = std::max(m_look.responseMs, 1e-3);
    const double length = std::max(m_look.exposureMs, 1e-3);
    const double from = exposedMs - length;
    // The mean over the exposure of a step at `at`, which begins then to approach 1.
    const auto step = [&](double at) {
        const auto sum = [&](double t) {
            return t <= at ? 0 : t - at - response * (1 - std::exp(-(t - at) / response));
        };
        return (sum(exposedMs) - sum(from)) / length;
    };
    std::vector<double> dark(kClockRows * kClockBits, 0);
    for (double at = std::floor((from - kLingers * response) / period) * period; at < exposedMs; at += period) {
        const double share = step(at) - step(at + period);
        const ClockCode code = clockCode(m_clock.shownAt(at + period / 2));
        for (int cell = 0; cell < kClockRows * kClockBits; ++cell)
            if (isBlackCell(cell, code))
                dark[static_cast<std::size_t>(cell)] += share;
    }
    return dark;
}

std::vector<std::uint8_t> ClockCamera::levelsAt(double exposedMs) const
{
    const double range = m_look.white - m_look.black;
    const std::vector<double> dark = darkCells(exposedMs);
    std::vector<std::uint8_t> levels(kPartCount);
    for (std::size_t cell = 0; cell < dark.size(); ++cell)
        levels[kCells + cell] = byteOf(m_look.white - range * dark[cell]);
    levels[kSurround] = byteOf(m_look.black + range * kSurroundLevel);
    levels[kWhite] = byteOf(m_look.white);
    levels[kBlack] = byteOf(m_look.black);
    levels[kCover] = byteOf(m_look.black + range * kCoverLevel);
    return levels;
}

void ClockCamera::see(double exposedMs, LumaPicture &to)
{
    const auto width = static_cast<std::size_t>(m_width);
    std::vector<std::uint8_t> levels;
    for (int y = 0; y < m_height; ++y) {
        if (y == 0 || m_look.readoutMs > 0)
            levels = levelsAt(exposedMs - m_look.readoutMs * (1 - (y + 1.0) / m_height));
        const std::size_t row = static_cast<std::size_t>(y) * width;
        for (std::size_t x = 0; x < width; ++x)
            to.pixels[row + x] = levels[m_parts[row + x]];
    }
    if (!m_kernel.empty())
        blur(to);
    if (m_look.noise > 0)
        addNoise(to);
}

void ClockCamera::blur(LumaPicture &picture)
{
    const auto width = static_cast<std::size_t>(m_width);
    const std::size_t radius = m_kernel.size() - 1;
    std::vector<int> sums(width);
    const auto add = [&sums](const std::uint8_t *a, const std::uint8_t *b, int weight) {
        for (std::size_t x = 0; x < sums.size(); ++x)
            sums[x] += weight * (a[x] + b[x]);
    };
    const auto begin = [&](const std::uint8_t *middle) {
        for (std::size_t x = 0; x < width; ++x)
            sums[x] = kKernelUnit / 2 + m_kernel[0] * middle[x];
    };
    const auto end = [&](std::uint8_t *to) {
        for (std::size_t x = 0; x < width; ++x)
            to[x] = static_cast<std::uint8_t>(std::min(255, sums[x] / kKernelUnit));
    };
    // Along rows, then along columns; edges repeat.
    m_between.resize(picture.pixels.size());
    std::vector<std::uint8_t> row(width + 2 * radius);
    for (std::size_t y = 0; y < static_cast<std::size_t>(m_height); ++y) {
        const std::uint8_t *from = picture.pixels.data() + y * width;
        std::fill_n(row.begin(), radius, from[0]);
        std::copy_n(from, width, row.begin() + static_cast<std::ptrdiff_t>(radius));
        std::fill_n(row.end() - static_cast<std::ptrdiff_t>(radius), radius, from[width - 1]);
        begin(row.data() + radius);
        for (std::size_t tap = 1; tap <= radius; ++tap)
            add(row.data() + radius - tap, row.data() + radius + tap, m_kernel[tap]);
        end(m_between.data() + y * width);
    }
    const auto rowAt = [&](int y) {
        return m_between.data() + static_cast<std::size_t>(std::clamp(y, 0, m_height - 1)) * width;
    };
    for (int y = 0; y < m_height; ++y) {
        begin(rowAt(y));
        for (int tap = 1; tap <= static_cast<int>(radius); ++tap)
            add(rowAt(y - tap), rowAt(y + tap), m_kernel[static_cast<std::size_t>(tap)]);
        end(picture.pixels.data() + static_cast<std::size_t>(y) * width);
    }
}

void ClockCamera::addNoise(LumaPicture &picture)
{
    // The sum of four bytes is nearly normal, with this deviation.
    constexpr double kDeviation = 147.8;
    constexpr int kMiddle = 510;
    const double scale = m_look.noise * (m_look.white - m_look.black) * 255 / kDeviation;
    for (std::uint8_t &pixel : picture.pixels) {
        m_random ^= m_random << 13;
        m_random ^= m_random >> 7;
        m_random ^= m_random << 17;
        const auto bytes = static_cast<std::uint32_t>(m_random >> 16);
        const int sum = static_cast<int>((bytes & 0xFF) + (bytes >> 8 & 0xFF) + (bytes >> 16 & 0xFF) + (bytes >> 24));
        pixel = static_cast<std::uint8_t>(std::clamp(pixel + (sum - kMiddle) * scale, 0.0, 255.0));
    }
}

} // namespace jetscope
