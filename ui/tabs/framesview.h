// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/frameaccounts.h"

#include <QWidget>

#include <deque>

namespace jetscope {

class TraceHistory;

/// One stacked bar per frame: CPU alone, both, GPU alone, idle; the newest at the right. The history must outlive the
/// view.
class FramesView : public QWidget {
    Q_OBJECT
public:
    explicit FramesView(const TraceHistory &history, QWidget *parent = nullptr);
    void refresh();

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    std::size_t firstShown() const;
    QRect plot() const;
    void paintLegend(class QPainter &painter) const;
    void paintGrid(class QPainter &painter, double msPerPixel) const;
    double highestMs() const;

    const TraceHistory &m_history;
};

} // namespace jetscope
