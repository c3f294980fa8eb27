// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/curvestatistics.h"
#include "ui/board/boardrows.h"

#include <QTableWidget>

#include <map>
#include <optional>

namespace jetscope {

/// The figures of the curves, beside their charts: a row has the height of its part of the chart. UI thread.
class BoardTable : public QTableWidget {
    Q_OBJECT
public:
    enum Column { Name, Value, Min, Mean, P95, Max, Columns };
    using Figures = std::map<std::size_t, std::optional<CurveStatistics>>; ///< By track.

    explicit BoardTable(QWidget *parent = nullptr);

    /// Rows for these charts.
    void setRows(const BoardRows &rows, int lineHeight);
    void showValues(const BoardSeries &series, std::int64_t ns, const QString &time);
    void showFigures(const BoardSeries &series, const Figures &figures);
    /// With fewer columns if there is little room.
    void setBrief(bool brief);
    int wholeWidth(bool brief) const;
    /// The tracks of its rows.
    std::vector<std::size_t> tracks() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void setCell(int row, Column column, const QString &text);
    void addCurve(int row, const BoardRow &group, const ShownCurve &shown);

    std::vector<std::optional<std::size_t>> m_trackOf; ///< By row.
    std::vector<int> m_lines;                          ///< Between groups.
};

} // namespace jetscope
