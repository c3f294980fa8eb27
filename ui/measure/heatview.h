// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/measure/heatmodel.h"

#include <QTableView>

namespace jetscope {

/// The heat map of a sweep as a table. Colour says how far a cell is from the best one, and signs say the rest without
/// colour: a star and a frame for the best, "≈" and a dashed frame for ties, a cross for failures, hatching for what is
/// not available, a triangle for hazards. Arrow keys move; a click or Enter opens a cell.
class HeatView : public QTableView {
    Q_OBJECT
public:
    explicit HeatView(QWidget *parent = nullptr);
    HeatModel &cells() const { return *m_cells; }

signals:
    void opened(const QModelIndex &index); ///< The user wants to see the run of a cell.

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitCells();

    HeatModel *m_cells;
};

/// What the signs and colours of a heat map mean, in one line.
class HeatLegend : public QWidget {
    Q_OBJECT
public:
    explicit HeatLegend(QWidget *parent = nullptr);
    /// Figures at the ends of the colours; empty texts hide the scale.
    void setEnds(const QString &best, const QString &worst);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_best;
    QString m_worst;
};

} // namespace jetscope
