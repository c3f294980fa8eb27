// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/clockreader.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jetscope {

namespace {

constexpr double kInner = 0.5;         ///< The part of a box's side whose pixels are read.
constexpr int kAcross = 4;             ///< Pixels along a side of a box.
constexpr int kAlong = 10;             ///< The same along the height of a cell.
constexpr int kRingPixels = 24;        ///< Along a ring of a mark.
constexpr double kLeastRange = 24;     ///< Between black and white, of 255.
constexpr double kLeastMargin = 0.3;   ///< Between a cell and its inverse, as part of that range.
constexpr double kClearOfLevel = 0.25; ///< A mark's part may be so far from its level, as part of that range.

// Radii of square rings halfway between the edges of a mark.
constexpr double kHoleRadius = (kClockMarkHole + kClockMarkCentre) / 4;
constexpr double kRingRadius = (kClockMark + kClockMarkHole) / 4;
constexpr double kAroundRadius = kClockMark / 2 + 0.6;

} // namespace

std::string_view clockSightText(ClockSight sight)
{
    switch (sight) {
    case ClockSight::Read:
        return "read";
    case ClockSight::NotFound:
        return "no clock in view";
    case ClockSight::Several:
        return "several clocks in view";
    case ClockSight::Faint:
        return "too little contrast";
    case ClockSight::Changing:
        return "cells between black and white";
    case ClockSight::Contradicts:
        return "bits and check bits do not fit";
    }
    return {};
}

std::optional<ClockReader> ClockReader::at(const std::array<ClockPoint, 4> &corners, const LumaView &like)
{
    const std::optional<Homography> seen = Homography::between(kClockMarks, corners);
    if (!seen)
        return std::nullopt;
    ClockReader reader;
    reader.m_corners = corners;
    bool fits = true;
    for (std::size_t i = 0; i < kClockMarks.size(); ++i) {
        Mark &mark = reader.m_marks[i];
        fits = fits && reader.add(mark.centre, *seen, aroundMark(i, kClockMarkCentre), like)
            && reader.addRing(mark.hole, *seen, kClockMarks[i], kHoleRadius, like)
            && reader.addRing(mark.ring, *seen, kClockMarks[i], kRingRadius, like)
            && reader.addRing(mark.around, *seen, kClockMarks[i], kAroundRadius, like)
            && reader.add(reader.m_turnCells[i], *seen, kClockTurnCells[i], like);
    }
    for (int row = 0; row < kClockRows; ++row)
        for (int bit = 0; bit < kClockBits; ++bit)
            fits = fits
                && reader.add(reader.m_cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(bit)], *seen,
                              clockCell(static_cast<ClockRow>(row), bit), like);
    return fits ? std::optional(std::move(reader)) : std::nullopt;
}

namespace {

/// None outside of the picture.
std::optional<std::uint32_t> offsetOf(const ClockPoint &point, const LumaView &like)
{
    const double x = std::floor(point.x);
    const double y = std::floor(point.y);
    if (!(x >= 0 && y >= 0 && x < like.width && y < like.height))
        return std::nullopt;
    return static_cast<std::uint32_t>(like.offset(static_cast<int>(x), static_cast<int>(y)));
}

} // namespace

bool ClockReader::add(Place &place, const Homography &seen, const ClockBox &box, const LumaView &like)
{
    place.first = static_cast<std::uint32_t>(m_offsets.size());
    const int down = box.height > box.width ? kAlong : kAcross;
    for (int j = 0; j < down; ++j)
        for (int i = 0; i < kAcross; ++i) {
            const double x = box.x + box.width * (0.5 + kInner * ((i + 0.5) / kAcross - 0.5));
            const double y = box.y + box.height * (0.5 + kInner * ((j + 0.5) / down - 0.5));
            const std::optional<std::uint32_t> offset = offsetOf(seen.map({x, y}), like);
            if (!offset)
                return false;
            m_offsets.push_back(*offset);
        }
    place.count = static_cast<std::uint32_t>(m_offsets.size()) - place.first;
    return true;
}

bool ClockReader::addRing(Place &place, const Homography &seen, const ClockPoint &centre, double radius,
                          const LumaView &like)
{
    place.first = static_cast<std::uint32_t>(m_offsets.size());
    constexpr int kSide = kRingPixels / 4;
    for (int i = 0; i < kRingPixels; ++i) {
        const double along = radius * (2 * (i % kSide + 0.5) / kSide - 1);
        const std::array<ClockPoint, 4> sides{{{along, -radius}, {radius, along}, {-along, radius}, {-radius, -along}}};
        const ClockPoint &side = sides[static_cast<std::size_t>(i / kSide)];
        const std::optional<std::uint32_t> offset = offsetOf(seen.map({centre.x + side.x, centre.y + side.y}), like);
        if (!offset)
            return false;
        m_offsets.push_back(*offset);
    }
    place.count = kRingPixels;
    return true;
}

double ClockReader::mean(const Place &place, const LumaView &picture) const
{
    std::uint32_t sum = 0;
    for (std::uint32_t i = place.first; i < place.first + place.count; ++i)
        sum += picture.first[m_offsets[i]];
    return static_cast<double>(sum) / place.count;
}

ClockReader::Levels ClockReader::levels(const LumaView &picture) const
{
    struct Parts {
        double centre, hole, ring, around;
    };
    std::array<Parts, 4> parts{};
    Levels levels;
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const Mark &mark = m_marks[i];
        parts[i] = {mean(mark.centre, picture), mean(mark.hole, picture), mean(mark.ring, picture),
                    mean(mark.around, picture)};
        levels.black += parts[i].centre / 4;
        levels.white += (parts[i].hole + parts[i].around) / 8;
    }
    // Blur takes more from the thin rings than from the centre, so it is each ring against its neighbours that counts.
    const double range = levels.white - levels.black;
    levels.isInPlace = range > 0;
    for (const Parts &mark : parts)
        levels.isInPlace = levels.isInPlace && mark.hole - mark.centre > kClearOfLevel * range
            && mark.hole - mark.ring > kClearOfLevel * range && mark.around - mark.ring > kClearOfLevel * range;
    const double middle = (levels.white + levels.black) / 2;
    for (std::size_t i = 0; i < m_turnCells.size(); ++i)
        levels.isInPlace = levels.isInPlace
            && (i == 0 ? mean(m_turnCells[i], picture) - middle : middle - mean(m_turnCells[i], picture))
                > kClearOfLevel / 2 * range;
    return levels;
}

bool ClockReader::isInPlace(const LumaView &picture) const
{
    return levels(picture).isInPlace;
}

ClockReading ClockReader::read(const LumaView &picture) const
{
    const Levels levels = this->levels(picture);
    const double range = levels.white - levels.black;
    if (!levels.isInPlace)
        return {ClockSight::NotFound};
    if (range < kLeastRange)
        return {ClockSight::Faint};
    ClockReading reading{ClockSight::Read};
    std::array<std::uint16_t, 2> words{};
    for (std::size_t pair = 0; pair < words.size(); ++pair)
        for (std::size_t bit = 0; bit < kClockBits; ++bit) {
            // A set bit is black.
            const double cell =
                (mean(m_cells[2 * pair + 1][bit], picture) - mean(m_cells[2 * pair][bit], picture)) / range;
            reading.cells[pair * kClockBits + bit] = static_cast<float>(cell);
            if (std::abs(cell) < kLeastMargin)
                reading.sight = ClockSight::Changing;
            if (cell > 0)
                words[pair] = static_cast<std::uint16_t>(words[pair] | 1U << bit);
        }
    if (reading.sight == ClockSight::Changing)
        return reading;
    if (const std::optional<int> ms = clockTime({words[0], words[1]}))
        reading.ms = *ms;
    else
        reading.sight = ClockSight::Contradicts;
    return reading;
}

bool ClockReader::isMirrored() const
{
    const ClockPoint along{m_corners[1].x - m_corners[0].x, m_corners[1].y - m_corners[0].y};
    const ClockPoint down{m_corners[3].x - m_corners[0].x, m_corners[3].y - m_corners[0].y};
    return along.x * down.y - along.y * down.x < 0;
}

double ClockReader::turnDegrees() const
{
    return std::atan2(m_corners[1].y - m_corners[0].y, m_corners[1].x - m_corners[0].x) * 180 / std::numbers::pi;
}

double ClockReader::modulePixels() const
{
    const double along = std::hypot(m_corners[1].x - m_corners[0].x, m_corners[1].y - m_corners[0].y);
    const double below = std::hypot(m_corners[2].x - m_corners[3].x, m_corners[2].y - m_corners[3].y);
    return (along + below) / 2 / (kClockMarks[1].x - kClockMarks[0].x);
}

} // namespace jetscope
