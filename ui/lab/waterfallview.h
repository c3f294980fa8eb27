// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/latencymeter.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

/// A row for each frame, with the parts of its way one behind the other; above them the mean of the frames around p50.
/// A double click or Enter on a frame asks for its place on the timeline. UI thread.
class WaterfallView : public QWidget {
    Q_OBJECT
public:
    enum class Order { Newest, Slowest, AroundP50 };

    explicit WaterfallView(QWidget *parent = nullptr);

    void setOrder(Order order) { m_order = order; }
    /// Only frames with these latencies in milliseconds, from the first to before the second; none for all.
    void setRange(std::optional<std::pair<int, int>> range) { m_range = range; }
    void show(const std::deque<FrameLatency> &frames, const std::optional<LatencyFigures> &figures);
    /// The numbers of the frames from the top.
    std::vector<std::uint64_t> shownFrames() const;

signals:
    /// The user wants to see on the timeline what happened to a frame.
    void frameWanted(const jetscope::FrameLatency &frame);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    std::size_t rows() const;
    void paintParts(QPainter &painter, int y, const std::array<double, kLatencyParts> &partsMs) const;
    double widthOf(double ms) const;
    void setCurrent(std::ptrdiff_t row);
    std::ptrdiff_t currentRow() const;

    Order m_order = Order::Newest;
    std::optional<std::pair<int, int>> m_range;
    std::optional<std::uint64_t> m_current; ///< The number of the chosen frame.
    std::vector<FrameLatency> m_frames;
    std::optional<LatencyFigures> m_figures;
    double m_mostMs = 1;
};

} // namespace jetscope
