// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/clockcode.h"

#include <array>
#include <vector>

namespace jetscope {

/// A place in the clock's picture, in modules from its top left corner.
struct ClockPoint {
    double x = 0;
    double y = 0;
};

struct ClockBox {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

// The picture of the clock: black on white, a mark in each corner, and between them four rows of a cell for each bit:
// the time, its inverse, the check bits, their inverse. At the left and right are four cells that never change, of
// which only the upper left one is white: they say how the picture is turned, and whether it is mirrored.
inline constexpr double kClockWidth = 46;
inline constexpr double kClockHeight = 26;
inline constexpr double kClockMark = 7;       ///< Side of a mark.
inline constexpr double kClockMarkHole = 5;   ///< Side of the white square in it.
inline constexpr double kClockMarkCentre = 3; ///< Side of the black square in that.

/// Top left, top right, bottom right, bottom left.
inline constexpr std::array<ClockPoint, 4> kClockMarks{{{5.5, 5.5}, {40.5, 5.5}, {40.5, 20.5}, {5.5, 20.5}}};
/// In the order of the marks; the first is white.
inline constexpr std::array<ClockBox, 4> kClockTurnCells{
    {{3.5, 11, 4, 2}, {38.5, 11, 4, 2}, {38.5, 13, 4, 2}, {3.5, 13, 4, 2}}};

enum class ClockRow { Data, InverseData, Check, InverseCheck };
inline constexpr int kClockRows = 4;
/// The cell of a bit; bit 0 is the lowest, at the right.
ClockBox clockCell(ClockRow row, int bit);
/// The square of that side around a mark's centre.
ClockBox aroundMark(std::size_t mark, double side);

/// A rectangle of the picture, over those before.
struct ClockShape {
    ClockBox box; ///< In pixels.
    bool isBlack = true;
};
/// From the white ground on, as large as fits into the middle of the area; a module has whole pixels, so that all are
/// alike.
std::vector<ClockShape> clockShapes(std::int64_t ms, int width, int height);

/// Times in a second for a screen of that rate, 0 if it is not known.
double clockRate(double screenHz);

} // namespace jetscope
