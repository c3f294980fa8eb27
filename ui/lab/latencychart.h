// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/latencymeter.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace jetscope {

/// How many frames have which latency, in bins of a millisecond or a multiple of it. UI thread.
class LatencyChart : public QWidget {
    Q_OBJECT
public:
    explicit LatencyChart(QWidget *parent = nullptr);

    void show(const std::deque<FrameLatency> &frames, const std::optional<LatencyFigures> &figures);
    const std::vector<int> &bins() const { return m_bins; }
    int firstMs() const { return m_firstMs; }
    int binMs() const { return m_binMs; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    double xOf(double ms) const;
    QRect plot() const;

    std::vector<int> m_bins;
    int m_firstMs = 0;
    int m_binMs = 1;
    std::optional<LatencyFigures> m_figures;
};

} // namespace jetscope
