// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardseries.h"

#include <QColor>
#include <QString>

#include <set>
#include <vector>

namespace jetscope {

/// A curve as it is shown: in the chart and as a row of the table.
struct ShownCurve {
    BoardCurve curve;
    QString name; ///< "load, %"
    QColor color;
    bool isDrawn = true; ///< Otherwise it is in the table only.

    /// Whether the scale at the right is that of the curve.
    bool isRight() const { return curve.role == BoardCurve::Role::Clock || curve.role == BoardCurve::Role::Speed; }
};

/// A group of curves with its place, from the top of the charts.
struct BoardRow {
    BoardGroup group = BoardGroup::Cpu;
    bool isOpen = true;
    std::vector<ShownCurve> curves;
    std::vector<BoardCurve> cores; ///< Strips.
    QString about;                 ///< Below the name.
    QString note;                  ///< Below the rows of the table.
    int top = 0;
    int height = 0;
    double axisBottom = 0;
    double axisTop = 1;
    double rightTop = 0; ///< Of clocks or a speed; 0 without them.
    QString rightUnit;
    struct Limit {
        double value = 0;
        QString text;
        bool isEnd = false; ///< The machine shuts down.
    };
    std::vector<Limit> limits; ///< One for each thing that happens, the lowest of all curves.
};

/// The rows of a series: curves without any value are left out.
class BoardRows {
public:
    /// `room`: height to fill; `lineHeight`: that of a row of the table. `named`: each curve has a line below the name
    /// of its group, because there is no table.
    void build(const BoardSeries &series, const std::set<BoardGroup> &closed, int room, int lineHeight, bool named);

    const std::vector<BoardRow> &all() const { return m_rows; }
    int height() const { return m_height; }
    /// Differs if the rows have other curves, places, colours or words.
    QString words() const;
    const BoardRow *rowAt(int y) const;

private:
    std::vector<BoardRow> m_rows;
    int m_height = 0;
};

/// groupName in the language of the window.
QString groupTitle(BoardGroup group);
/// The part of a machine that a group shows.
BoardPart partOf(BoardGroup group);
/// The value in the unit of the table, without it: "36.6", "2,202".
QString boardValue(double value, const QString &unit);
/// "MHz" for "Hz", "GB" for "B".
QString boardUnit(const std::string &unit);
/// What the values of a counter are multiplied with for its unit in the table.
double boardFactor(const std::string &unit);

} // namespace jetscope
