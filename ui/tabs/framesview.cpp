// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tabs/framesview.h"

#include "ui/text.h"
#include "ui/theme.h"
#include "ui/timeline/timescale.h"
#include "ui/traceselection.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr double kFollowedFramesPerPixel = 0.125; ///< A bar of 8 pixels.
constexpr int kLabelWidth = 64;
constexpr int kLegendHeight = 28;

double toMs(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e6;
}

} // namespace

FramesView::FramesView(const Trace &trace, TraceSelection &selection, QWidget *parent)
    : QWidget(parent), m_trace(trace), m_selection(selection)
{
    setAccessibleName(tr("Frames"));
    setAccessibleDescription(
        tr("One bar per frame: time in which only the CPU, both, only the GPU or neither was busy. Wheel zooms, drag "
           "pans, a click selects the frame."));
    setFocusPolicy(Qt::StrongFocus);
    setProperty("focusRing", true);
    setMinimumHeight(120);
    connect(&m_selection, &TraceSelection::changed, this, QOverload<>::of(&QWidget::update));
    connect(&m_selection, &TraceSelection::frameChosen, this, &FramesView::revealSelected);
}

void FramesView::refresh()
{
    if (std::exchange(m_version, m_trace.version()) == m_trace.version())
        return;
    place();
    if (isVisible())
        update();
}

void FramesView::restart(bool live)
{
    m_following = live;
    m_fitted = !live;
    m_framesPerPixel = kFollowedFramesPerPixel;
    m_version = m_trace.version();
    place();
    update();
}

QRect FramesView::plot() const
{
    return rect().adjusted(kLabelWidth, kLegendHeight, -8, -8);
}

/// Keeps what is shown where it should be: everything, the newest, or some of the trace at least.
void FramesView::place()
{
    const auto first = static_cast<double>(m_trace.frames().firstIndex());
    const auto end = static_cast<double>(m_trace.frames().endIndex());
    const int width = std::max(1, plot().width());
    if (m_fitted) {
        m_framesPerPixel = std::clamp((end - first) / width, kFollowedFramesPerPixel, 1e9);
        m_first = first;
        return;
    }
    const double room = width * m_framesPerPixel;
    // Whole bars, so that they do not shimmer while new ones come in.
    m_first = m_following ? std::max(first, std::ceil(end - std::floor(room)))
                          : std::clamp(m_first, std::min(first, end - room), std::max(first, end - room));
}

/// The same frames stay in view; while following, as large as they were.
void FramesView::resizeEvent(QResizeEvent *)
{
    // The event's old size is none when the page was hidden meanwhile.
    const int before = std::exchange(m_plotWidth, std::max(1, plot().width()));
    if (!m_following && !m_fitted && before > 0)
        m_framesPerPixel *= static_cast<double>(before) / m_plotWidth;
    place();
    if (before == 0) // What was selected before this view had a size.
        revealSelected();
}

std::pair<std::uint64_t, std::uint64_t> FramesView::shown() const
{
    const FrameTable &frames = m_trace.frames();
    const double last = m_first + plot().width() * m_framesPerPixel;
    const auto bounded = [&](double at) {
        return std::clamp(static_cast<std::uint64_t>(std::max(at, 0.0)), frames.firstIndex(), frames.endIndex());
    };
    return {bounded(std::floor(m_first)), bounded(std::ceil(last))};
}

std::optional<std::uint64_t> FramesView::frameAt(int x) const
{
    const FrameTable &frames = m_trace.frames();
    const double from = m_first + (x - plot().left()) * m_framesPerPixel;
    if (x < plot().left() || x > plot().right() || from < static_cast<double>(frames.firstIndex()))
        return std::nullopt;
    const auto first = static_cast<std::uint64_t>(from);
    const auto last =
        std::min(frames.endIndex(), std::max(first + 1, static_cast<std::uint64_t>(from + m_framesPerPixel)));
    if (first >= last)
        return std::nullopt;
    return frames.sum(first, last).longest;
}

int FramesView::pixelOf(std::uint64_t frame) const
{
    return plot().left() + static_cast<int>(std::floor((static_cast<double>(frame) - m_first) / m_framesPerPixel));
}

double FramesView::highestMs() const
{
    const auto [first, last] = shown();
    if (first >= last)
        return 1.1;
    return std::max(1.0, toMs(m_trace.frames().sum(first, last).longestPeriodNs)) * 1.1;
}

void FramesView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    paintLegend(painter);
    const QRect area = plot();
    if (m_trace.frames().empty()) {
        painter.setPen(theme().muted);
        painter.drawText(area, Qt::AlignCenter, tr("Frames appear here as soon as their figures are final."));
        return;
    }
    const double msPerPixel = highestMs() / std::max(1, area.height());
    paintGrid(painter, msPerPixel);
    painter.setClipRect(area);
    paintBars(painter, msPerPixel);
    paintSelected(painter);
    if (hasFocus()) {
        painter.setClipping(false);
        painter.setPen(theme().accentText);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area.adjusted(-1, -1, 0, 0));
    }
}

/// One bar a frame, or one a pixel where there are more frames than pixels.
void FramesView::paintBars(QPainter &painter, double msPerPixel) const
{
    const FrameTable &frames = m_trace.frames();
    const QRect area = plot();
    if (m_framesPerPixel >= 1) {
        for (int x = 0; x < area.width(); ++x) {
            const double from = m_first + x * m_framesPerPixel;
            const auto first = static_cast<std::uint64_t>(std::max(from, 0.0));
            const auto last = std::min(frames.endIndex(), static_cast<std::uint64_t>(from + m_framesPerPixel));
            if (first >= frames.firstIndex() && first < last)
                paintBar(painter, QRectF(area.left() + x, area.top(), 1, area.height()), frames.sum(first, last),
                         msPerPixel);
        }
        return;
    }
    const double pitch = 1 / m_framesPerPixel;
    const double gap = pitch >= 3 ? std::min(2.0, pitch / 4) : 0;
    const auto [first, last] = shown();
    for (std::uint64_t i = first; i < last; ++i) {
        const double left = area.left() + (static_cast<double>(i) - m_first) * pitch;
        paintBar(painter, QRectF(left, area.top(), pitch - gap, area.height()), frames.sum(i, i + 1), msPerPixel);
    }
}

void FramesView::paintBar(QPainter &painter, QRectF room, const FrameSum &sum, double msPerPixel) const
{
    const auto count = static_cast<double>(std::max<std::uint64_t>(sum.frames, 1));
    const Overlap &o = sum.overlap;
    const std::array<std::pair<std::int64_t, QColor>, 4> parts = {{{o.bothNs, theme().both},
                                                                   {o.cpuNs - o.bothNs, theme().cpuOnly},
                                                                   {o.gpuNs - o.bothNs, theme().gpuOnly},
                                                                   {o.idleNs, theme().hover}}};
    double bottom = room.bottom();
    for (const auto &[ns, color] : parts) {
        const double height = toMs(ns) / count / msPerPixel;
        painter.fillRect(QRectF(room.left(), bottom - height, room.width(), height), color);
        bottom -= height;
    }
    const double worst = room.bottom() - toMs(sum.longestPeriodNs) / msPerPixel;
    if (sum.frames > 1 && bottom - worst >= 1)
        painter.fillRect(QRectF(room.left(), worst, room.width(), bottom - worst), theme().warn);
}

void FramesView::paintSelected(QPainter &painter) const
{
    const auto &frame = m_selection.frame();
    if (!frame || !frame->index)
        return;
    const double width = std::max(2.0, 1 / m_framesPerPixel);
    const QRectF bar(pixelOf(*frame->index) - 1, plot().top(), width, plot().height());
    QColor veil = theme().accent;
    veil.setAlpha(40);
    painter.fillRect(bar, veil);
    painter.fillRect(QRectF(bar.left(), bar.bottom() - 3, bar.width(), 4), theme().accent);
}

void FramesView::paintGrid(QPainter &painter, double msPerPixel) const
{
    const QRect area = plot();
    const double stepMs = toMs(rulerStepNs(msPerPixel * 1e6, 40));
    for (double ms = 0; ms / msPerPixel < area.height(); ms += stepMs) {
        const int y = area.bottom() - qRound(ms / msPerPixel);
        painter.fillRect(area.left(), y, area.width(), 1, theme().border);
        painter.setPen(theme().muted);
        painter.drawText(QRect(0, y - 10, kLabelWidth - 6, 20), Qt::AlignRight | Qt::AlignVCenter, millisText(ms));
    }
}

void FramesView::paintLegend(QPainter &painter) const
{
    std::vector<std::pair<QString, QColor>> entries = {{tr("both"), theme().both},
                                                       {tr("CPU only"), theme().cpuOnly},
                                                       {tr("GPU only"), theme().gpuOnly},
                                                       {tr("idle"), theme().hover}};
    if (m_framesPerPixel > 1)
        entries.emplace_back(tr("up to the worst of the column"), theme().warn);
    int left = kLabelWidth;
    for (const auto &[name, color] : entries) {
        painter.setPen(theme().border);
        painter.setBrush(color);
        painter.drawRect(left, 9, 10, 10);
        painter.setPen(theme().muted);
        painter.drawText(left + 16, 18, name);
        left += 34 + painter.fontMetrics().horizontalAdvance(name);
    }
    const auto [first, last] = shown();
    if (first >= last)
        return;
    const FrameTable &frames = m_trace.frames();
    const QString text = tr("frames %L1–%L2 · %L3 in all")
                             .arg(frames.at(first).frame)
                             .arg(frames.at(last - 1).frame)
                             .arg(frames.endIndex() - frames.firstIndex());
    painter.drawText(QRect(0, 4, width() - 8, 20), Qt::AlignRight | Qt::AlignVCenter, text);
}

} // namespace jetscope
