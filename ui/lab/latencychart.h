// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/latencymeter.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

/// How many frames have which latency, in bins of a millisecond or a multiple of it. A click on a bin, or the arrow
/// keys, choose its frames; the same bin or Escape take that back. UI thread.
class LatencyChart : public QWidget {
    Q_OBJECT
public:
    explicit LatencyChart(QWidget *parent = nullptr);

    void show(const std::deque<FrameLatency> &frames, const std::optional<LatencyFigures> &figures);
    const std::vector<int> &bins() const { return m_bins; }
    int firstMs() const { return m_firstMs; }
    int binMs() const { return m_binMs; }
    /// The chosen latencies, from the first to before the second; none for all.
    const std::optional<std::pair<int, int>> &range() const { return m_range; }
    void choose(std::optional<std::pair<int, int>> range);

signals:
    void rangeChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    double xOf(double ms) const;
    void chooseBin(int bin);
    bool isChosen(std::size_t bin) const;
    void paintBins(QPainter &painter) const;
    QRect plot() const;

    std::vector<int> m_bins;
    std::optional<std::pair<int, int>> m_range;
    int m_firstMs = 0;
    int m_binMs = 1;
    std::optional<LatencyFigures> m_figures;
};

} // namespace jetscope
