// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/frames/framewindow.h"

#include <QCoreApplication>
#include <QRect>

class QPainter;

namespace jetscope {

struct FrameSum;
struct Theme;

/// Paints the frames of a window as stacked bars, with a legend above and a scale at the left. Lives for one paint
/// event.
class FrameBars {
    Q_DECLARE_TR_FUNCTIONS(jetscope::FrameBars)
public:
    static constexpr int kLabelWidth = 64; ///< Width of the scale in pixels.
    static constexpr int kLegendHeight = 28;

    /// `area`: rectangle of the bars.
    FrameBars(QPainter &painter, const Trace &trace, const FrameWindow &window, const QRect &area, const Theme &theme)
        : m_painter(painter), m_trace(trace), m_window(window), m_area(area), m_theme(theme)
    {
    }

    void paintLegend();
    void paint(std::optional<std::uint64_t> selected);

private:
    double highestMs() const;
    void paintShownFrames(const QRect &room);
    void paintGrid(double msPerPixel);
    void paintBars(double msPerPixel);
    void paintBar(QRectF room, const FrameSum &sum, double msPerPixel);
    void paintSelected(std::uint64_t frame);

    QPainter &m_painter;
    const Trace &m_trace;
    const FrameWindow &m_window;
    const QRect m_area;
    const Theme &m_theme;
};

} // namespace jetscope
