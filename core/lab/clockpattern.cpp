// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/clockpattern.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kCellsLeft = 11;
constexpr double kCellsTop = 3;
constexpr double kClockCellWidth = 2;
constexpr double kClockCellHeight = 5;

constexpr double kSlowestScreen = 24;
constexpr double kFastestScreen = 360;
constexpr double kUnknownScreen = 60;

} // namespace

ClockBox clockCell(ClockRow row, int bit)
{
    return {kCellsLeft + kClockCellWidth * (kClockBits - 1 - bit), kCellsTop + kClockCellHeight * static_cast<int>(row),
            kClockCellWidth, kClockCellHeight};
}

ClockBox aroundMark(std::size_t mark, double side)
{
    const ClockPoint &centre = kClockMarks[mark];
    return {centre.x - side / 2, centre.y - side / 2, side, side};
}

std::vector<ClockShape> clockShapes(std::int64_t ms, int width, int height)
{
    std::vector<ClockShape> shapes{{{0, 0, kClockWidth, kClockHeight}, false}};
    for (std::size_t mark = 0; mark < kClockMarks.size(); ++mark) {
        shapes.push_back({aroundMark(mark, kClockMark), true});
        shapes.push_back({aroundMark(mark, kClockMarkHole), false});
        shapes.push_back({aroundMark(mark, kClockMarkCentre), true});
    }
    for (std::size_t cell = 1; cell < kClockTurnCells.size(); ++cell)
        shapes.push_back({kClockTurnCells[cell], true});
    const ClockCode code = clockCode(ms);
    for (int bit = 0; bit < kClockBits; ++bit) {
        const bool data = code.data >> bit & 1;
        const bool check = code.check >> bit & 1;
        shapes.push_back({clockCell(data ? ClockRow::Data : ClockRow::InverseData, bit), true});
        shapes.push_back({clockCell(check ? ClockRow::Check : ClockRow::InverseCheck, bit), true});
    }
    const double module = std::max(1.0, std::floor(std::min(width / kClockWidth, height / kClockHeight)));
    const double left = std::floor((width - module * kClockWidth) / 2);
    const double top = std::floor((height - module * kClockHeight) / 2);
    for (ClockShape &shape : shapes)
        shape.box = {left + shape.box.x * module, top + shape.box.y * module, shape.box.width * module,
                     shape.box.height * module};
    return shapes;
}

double clockRate(double screenHz)
{
    return screenHz > 0 ? std::clamp(screenHz, kSlowestScreen, kFastestScreen) : kUnknownScreen;
}

} // namespace jetscope
