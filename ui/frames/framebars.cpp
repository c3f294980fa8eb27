// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/frames/framebars.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/timescale.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <vector>

namespace jetscope {

namespace {

double toMs(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e6;
}

} // namespace

void FrameBars::paint(std::optional<std::uint64_t> selected)
{
    const double msPerPixel = highestMs() / std::max(1, m_area.height());
    paintGrid(msPerPixel);
    m_painter.setClipRect(m_area);
    paintBars(msPerPixel);
    if (selected)
        paintSelected(*selected);
    m_painter.setClipping(false);
}

/// One bar per frame, or one per pixel column if there are more frames than pixels.
void FrameBars::paintBars(double msPerPixel)
{
    const FrameTable &frames = m_trace.frames();
    if (m_window.framesPerPixel() >= 1) {
        for (int x = 0; x < m_area.width(); ++x) {
            const double from = m_window.first() + x * m_window.framesPerPixel();
            const auto first = static_cast<std::uint64_t>(std::max(from, 0.0));
            const auto last = std::min(frames.endIndex(), static_cast<std::uint64_t>(from + m_window.framesPerPixel()));
            if (first >= frames.firstIndex() && first < last)
                paintBar(QRectF(m_area.left() + x, m_area.top(), 1, m_area.height()), frames.sum(first, last),
                         msPerPixel);
        }
        return;
    }
    const double pitch = 1 / m_window.framesPerPixel();
    const double gap = pitch >= 3 ? std::min(2.0, pitch / 4) : 0;
    const auto [first, last] = m_window.shown();
    for (std::uint64_t i = first; i < last; ++i) {
        const double left = m_area.left() + (static_cast<double>(i) - m_window.first()) * pitch;
        paintBar(QRectF(left, m_area.top(), pitch - gap, m_area.height()), frames.sum(i, i + 1), msPerPixel);
    }
}

void FrameBars::paintBar(QRectF room, const FrameSum &sum, double msPerPixel)
{
    const auto count = static_cast<double>(std::max<std::uint64_t>(sum.frames, 1));
    const Overlap &o = sum.overlap;
    const std::array<std::pair<std::int64_t, QColor>, 4> parts = {{{o.bothNs, m_theme.both},
                                                                   {o.cpuNs - o.bothNs, m_theme.cpuOnly},
                                                                   {o.gpuNs - o.bothNs, m_theme.gpuOnly},
                                                                   {o.idleNs, m_theme.hover}}};
    double bottom = room.bottom();
    for (const auto &[ns, color] : parts) {
        const double height = toMs(ns) / count / msPerPixel;
        m_painter.fillRect(QRectF(room.left(), bottom - height, room.width(), height), color);
        bottom -= height;
    }
    const double worst = room.bottom() - toMs(sum.longestPeriodNs) / msPerPixel;
    if (sum.frames > 1 && bottom - worst >= 1)
        m_painter.fillRect(QRectF(room.left(), worst, room.width(), bottom - worst), m_theme.warn);
}

void FrameBars::paintSelected(std::uint64_t frame)
{
    const double width = std::max(2.0, 1 / m_window.framesPerPixel());
    const QRectF bar(m_area.left() + m_window.pixelOf(frame) - 1, m_area.top(), width, m_area.height());
    QColor veil = m_theme.accent;
    veil.setAlpha(40);
    m_painter.fillRect(bar, veil);
    m_painter.fillRect(QRectF(bar.left(), bar.bottom() - 3, bar.width(), 4), m_theme.accent);
}

void FrameBars::paintGrid(double msPerPixel)
{
    const double stepMs = toMs(rulerStepNs(msPerPixel * 1e6, 40));
    for (double ms = 0; ms / msPerPixel < m_area.height(); ms += stepMs) {
        const int y = m_area.bottom() - qRound(ms / msPerPixel);
        m_painter.fillRect(m_area.left(), y, m_area.width(), 1, m_theme.border);
        m_painter.setPen(m_theme.muted);
        m_painter.drawText(QRect(0, y - 10, kLabelWidth - 6, 20), Qt::AlignRight | Qt::AlignVCenter, millisText(ms));
    }
}

void FrameBars::paintLegend()
{
    std::vector<std::pair<QString, QColor>> entries = {{FrameBars::tr("both"), m_theme.both},
                                                       {FrameBars::tr("CPU only"), m_theme.cpuOnly},
                                                       {FrameBars::tr("GPU only"), m_theme.gpuOnly},
                                                       {FrameBars::tr("idle"), m_theme.hover}};
    if (m_window.framesPerPixel() > 1)
        entries.emplace_back(FrameBars::tr("up to the worst of the column"), m_theme.warn);
    const QFontMetrics metrics = m_painter.fontMetrics();
    int left = kLabelWidth;
    for (const auto &[name, color] : entries) {
        const int right = left + 16 + metrics.horizontalAdvance(name);
        if (right > m_area.right())
            return;
        m_painter.setPen(m_theme.border);
        m_painter.setBrush(color);
        m_painter.drawRect(left, 9, 10, 10);
        m_painter.setPen(m_theme.muted);
        m_painter.drawText(left + 16, 18, name);
        left = right + 18;
    }
    paintShownFrames({left, 4, m_area.right() + 1 - left, 20});
}

void FrameBars::paintShownFrames(const QRect &room)
{
    const auto [first, last] = m_window.shown();
    if (first >= last)
        return;
    const FrameTable &frames = m_trace.frames();
    const QString all = FrameBars::tr("%L1 in all").arg(frames.endIndex() - frames.firstIndex());
    const QString shown = FrameBars::tr("frames %L1–%L2")
                              .arg(m_trace.frameNumber(frames.at(first).frame))
                              .arg(m_trace.frameNumber(frames.at(last - 1).frame));
    for (const QString &text : {shown + QStringLiteral(" · ") + all, shown, all})
        if (m_painter.fontMetrics().horizontalAdvance(text) <= room.width()) {
            m_painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, text);
            return;
        }
}

double FrameBars::highestMs() const
{
    const auto [first, last] = m_window.shown();
    if (first >= last)
        return 1.1;
    return std::max(1.0, toMs(m_trace.frames().sum(first, last).longestPeriodNs)) * 1.1;
}

} // namespace jetscope
