// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

namespace jetscope {

class BoardCharts;
struct BoardEvent;

/// Above the charts: the flags of events, the times, and the titles of the table at the right. A drag measures a range.
class BoardRuler : public QWidget {
    Q_OBJECT
public:
    BoardRuler(BoardCharts &charts, const std::vector<BoardEvent> &events, QWidget *parent = nullptr);

    struct Title {
        QString text;
        int right = 0; ///< Its right edge, from the left edge of the ruler.
    };
    void setTitles(std::vector<Title> titles);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void paintFlags(QPainter &painter) const;
    void paintTimes(QPainter &painter) const;

    BoardCharts &m_charts;
    const std::vector<BoardEvent> &m_events;
    std::vector<Title> m_titles;
    int m_pressedX = -1;
};

} // namespace jetscope
