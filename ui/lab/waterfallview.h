// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/latencymeter.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace jetscope {

/// A row for each frame, with the parts of its way one behind the other; above them the mean of the frames around p50.
/// UI thread.
class WaterfallView : public QWidget {
    Q_OBJECT
public:
    enum class Order { Newest, Slowest, AroundP50 };

    explicit WaterfallView(QWidget *parent = nullptr);

    void setOrder(Order order) { m_order = order; }
    void show(const std::deque<FrameLatency> &frames, const std::optional<LatencyFigures> &figures);
    /// The numbers of the frames from the top.
    std::vector<std::uint64_t> shownFrames() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    std::size_t rows() const;
    void paintParts(QPainter &painter, int y, const std::array<double, kLatencyParts> &partsMs) const;
    double widthOf(double ms) const;

    Order m_order = Order::Newest;
    std::vector<FrameLatency> m_frames;
    std::optional<LatencyFigures> m_figures;
    double m_mostMs = 1;
};

} // namespace jetscope
