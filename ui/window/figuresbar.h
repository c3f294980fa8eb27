// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"
#include "ui/session/presentsetting.h"

#include <QWidget>

#include <array>

class QLabel;

namespace jetscope {

/// Live figures: overlap, what could be saved, frames per second, latency p50 and p99, dropped frames. The width fits
/// the longest possible texts.
class FiguresBar : public QWidget {
    Q_OBJECT
public:
    enum Figure { OverlapRatio, HeadroomRatio, Rate, LatencyMedian, LatencyTail, Dropped, kFigures };

    explicit FiguresBar(QWidget *parent = nullptr);
    /// `noGpuTimes`: why figures that need times of the GPU are not known; empty if they are.
    void show(const RunFigures &figures, const SettingCounts &counts, const QString &noGpuTimes = {});
    /// Shows only figures that are known; otherwise those that are not have a dash.
    void setOnlyKnown(bool only);
    /// Width with all figures.
    int wholeWidth() const;
    QString text(int figure) const; ///< Text of the figure at this position from the left.
    QString caption(int figure) const;
    QString toolTipOf(int figure) const;

protected:
    bool event(QEvent *event) override;

private:
    struct Box {
        QWidget *widget = nullptr;
        QLabel *value = nullptr;
        QLabel *caption = nullptr;
    };
    void set(Figure figure, const QString &value, const QString &caption = {}, const QString &more = {});
    void fixWidths();
    void setKnown(Figure figure, bool known);

    std::array<Box, kFigures> m_boxes{};
    bool m_onlyKnown = false;
};

} // namespace jetscope
