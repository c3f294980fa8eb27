// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/clockpattern.h"

namespace jetscope {

namespace {

constexpr double kCellsLeft = 11;
constexpr double kCellsTop = 3;
constexpr double kClockCellWidth = 2;
constexpr double kClockCellHeight = 5;

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

std::vector<ClockShape> clockShapes(std::int64_t ms)
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
    return shapes;
}

} // namespace jetscope
