// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/chartpainter.h"

#include "core/trace/spantrack.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

using Role = BoardCurve::Role;

constexpr int kPlotMargin = 8; ///< Above and below the curves of a row.
constexpr int kFillAlpha = 70;
constexpr int kStackAlpha = 200;

QColor mixedColor(const QColor &from, const QColor &to, double part)
{
    const auto mix = [part](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
    return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

QColor withAlpha(QColor color, int alpha)
{
    color.setAlpha(alpha);
    return color;
}

/// Width of the scale beside the names.
int scaleWidth()
{
    return fontScaled(48);
}

/// Of the one at the right.
int rightScaleWidth()
{
    return fontScaled(62);
}

} // namespace

int ChartPainter::usualLabels()
{
    return fontScaled(150);
}

QRect ChartPainter::plotOf(const QRect &place, int labels)
{
    return place.adjusted(labels + scaleWidth(), kPlotMargin, -rightScaleWidth(), -kPlotMargin);
}

int ChartPainter::yOf(const BoardRow &row, const ShownCurve &shown, const QRect &plot, double value)
{
    const bool isRight = shown.isRight() && row.rightTop > 0;
    const double top = isRight ? row.rightTop : row.axisTop;
    const double bottom = isRight ? 0 : row.axisBottom;
    const double part = std::clamp((value - bottom) / std::max(top - bottom, 1e-9), 0.0, 1.0);
    return plot.bottom() - static_cast<int>(std::lround(part * (plot.height() - 1)));
}

std::vector<CounterColumn> ChartPainter::columnsOf(std::size_t counter, int width) const
{
    std::vector<CounterColumn> columns;
    m_series.tracks()[counter].query({m_scale.startNs, m_scale.nsPerPixel, width}, columns);
    return columns;
}

void ChartPainter::paintScale(const BoardRow &row, const QRect &plot)
{
    const QFont small = paintedFont(m_painter.font(), 10);
    m_painter.setFont(small);
    m_painter.setPen(theme().muted);
    const int lines = plot.height() >= 60 && row.cores.empty() ? 2 : 1;
    const int text = m_painter.fontMetrics().height();
    for (int i = 0; i <= lines && row.cores.empty(); ++i) {
        const int y = plot.bottom() - (plot.height() - 1) * i / lines;
        m_painter.fillRect(plot.left(), y, plot.width(), 1, theme().border);
        const double share = static_cast<double>(i) / lines;
        const QRect left(plot.left() - scaleWidth(), y - text / 2, scaleWidth() - 6, text);
        const auto first = std::find_if(row.curves.begin(), row.curves.end(),
                                        [](const ShownCurve &shown) { return !shown.isRight(); });
        const bool hasLeft = first != row.curves.end();
        const QString unit =
            i == lines && hasLeft ? boardUnit(m_series.tracks()[first->curve.counter].info().unit) : QString();
        const auto number = [](double value) { return QString::number(value, 'g', 4); };
        if (hasLeft)
            m_painter.drawText(left, Qt::AlignRight | Qt::AlignVCenter,
                               number(row.axisBottom + (row.axisTop - row.axisBottom) * share)
                                   + (unit.isEmpty() ? QString() : QStringLiteral(" ") + unit));
        if (row.rightTop > 0)
            m_painter.drawText(QRect(plot.right() + 7, left.top(), rightScaleWidth() - 8, text),
                               Qt::AlignLeft | Qt::AlignVCenter,
                               number(row.rightTop * share) + (i == lines ? u' ' + row.rightUnit : QString()));
    }
}

/// Brighter is busier; hatched where a core is off while others are on.
void ChartPainter::paintStrips(const BoardRow &row, const QRect &plot)
{
    const int count = static_cast<int>(row.cores.size());
    std::vector<std::vector<CounterColumn>> columns;
    for (const BoardCurve &core : row.cores)
        columns.push_back(columnsOf(core.counter, plot.width()));
    const auto isKnown = [](const CounterColumn &column) { return column.low <= column.high; };
    std::vector<bool> anyKnown(static_cast<std::size_t>(plot.width()), false);
    for (const std::vector<CounterColumn> &core : columns)
        for (std::size_t x = 0; x < core.size() && x < anyKnown.size(); ++x)
            anyKnown[x] = anyKnown[x] || isKnown(core[x]);
    const QColor cold = mixedColor(theme().panel, theme().cpuOnly, 0.14);
    const QColor hot = mixedColor(theme().cpuOnly, theme().text, 0.75);
    const int text = m_painter.fontMetrics().height();
    const int step = std::max(1, text * count / std::max(plot.height(), 1) + (text * count > plot.height() ? 1 : 0));
    for (int i = 0; i < count; ++i) {
        const int top = plot.top() + plot.height() * i / count;
        const int height = std::max(1, plot.top() + plot.height() * (i + 1) / count - top - 1);
        const std::vector<CounterColumn> &core = columns[static_cast<std::size_t>(i)];
        int offFrom = -1;
        for (int x = 0; x <= static_cast<int>(core.size()); ++x) {
            const bool isEnd = x == static_cast<int>(core.size());
            const bool isOff =
                !isEnd && !isKnown(core[static_cast<std::size_t>(x)]) && anyKnown[static_cast<std::size_t>(x)];
            if (isOff && offFrom < 0)
                offFrom = x;
            if (!isOff && offFrom >= 0) {
                m_painter.fillRect(plot.left() + offFrom, top, x - offFrom, height,
                                   QBrush(theme().border, Qt::BDiagPattern));
                offFrom = -1;
            }
            if (isEnd || !isKnown(core[static_cast<std::size_t>(x)]))
                continue;
            const CounterColumn &column = core[static_cast<std::size_t>(x)];
            const double load = std::clamp((column.low + column.high) / 200, 0.0, 1.0);
            const QColor color = load < 0.5 ? mixedColor(cold, theme().cpuOnly, load * 2)
                                            : mixedColor(theme().cpuOnly, hot, load * 2 - 1);
            m_painter.fillRect(plot.left() + x, top, 1, height, color);
        }
        m_painter.setPen(theme().muted);
        if (i % step == 0)
            m_painter.drawText(QRect(plot.left() - scaleWidth(), top + height / 2 - text / 2, scaleWidth() - 6, text),
                               Qt::AlignRight | Qt::AlignVCenter,
                               QString::number(row.cores[static_cast<std::size_t>(i)].core));
    }
}

void ChartPainter::paintCurve(const BoardRow &row, const ShownCurve &shown, const QRect &plot, bool isFilled)
{
    const double factor = boardFactor(m_series.tracks()[shown.curve.counter].info().unit);
    const std::vector<CounterColumn> columns = columnsOf(shown.curve.counter, plot.width());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const CounterColumn &column = columns[i];
        if (column.low > column.high)
            continue;
        const int x = plot.left() + static_cast<int>(i);
        const int high = yOf(row, shown, plot, column.high * factor);
        const int low = yOf(row, shown, plot, column.low * factor);
        if (isFilled)
            m_painter.fillRect(x, high, 1, plot.bottom() - high + 1, withAlpha(shown.color, kFillAlpha));
        m_painter.fillRect(x, high, 1, std::max(1, low - high + 1), shown.color);
    }
}

/// The rails that make the total, from the bottom up.
void ChartPainter::paintStack(const BoardRow &row, const QRect &plot)
{
    std::vector<double> sums(static_cast<std::size_t>(plot.width()), 0);
    for (const ShownCurve &shown : row.curves) {
        if (shown.curve.role != Role::Rail)
            continue;
        const std::vector<CounterColumn> columns = columnsOf(shown.curve.counter, plot.width());
        for (std::size_t i = 0; i < columns.size() && i < sums.size(); ++i) {
            const double value = columns[i].last;
            if (!std::isfinite(value))
                continue;
            const int from = yOf(row, shown, plot, sums[i]);
            sums[i] += std::max(value, 0.0);
            const int to = yOf(row, shown, plot, sums[i]);
            m_painter.fillRect(plot.left() + static_cast<int>(i), to, 1, from - to,
                               withAlpha(shown.color, kStackAlpha));
        }
    }
}

/// All of memory, as a dashed line.
void ChartPainter::paintLimit(const BoardRow &row, const ShownCurve &shown, const QRect &plot)
{
    const CounterTrack &track = m_series.tracks()[shown.curve.counter];
    const auto extremes = track.extremes();
    if (!extremes)
        return;
    const int y = yOf(row, shown, plot, extremes->second * boardFactor(track.info().unit));
    m_painter.setPen(QPen(theme().muted, 1, Qt::DashLine));
    m_painter.drawLine(plot.left(), y, plot.right(), y);
}

void ChartPainter::paintLimits(const BoardRow &row, const QRect &plot)
{
    for (const BoardRow::Limit &limit : row.limits) {
        const double part = (limit.value - row.axisBottom) / std::max(row.axisTop - row.axisBottom, 1e-9);
        const int y = plot.bottom() - static_cast<int>(std::lround(part * (plot.height() - 1)));
        m_painter.setPen(QPen(limit.isEnd ? theme().bad : theme().warn, 1, Qt::DashLine));
        m_painter.drawLine(plot.left(), y, plot.right(), y);
        const QRect text(plot.left() + 6, y - m_painter.fontMetrics().height() - 1, plot.width(),
                         m_painter.fontMetrics().height());
        m_painter.drawText(text.translated(0, limit.isEnd ? 0 : text.height() + 1), Qt::AlignLeft, limit.text);
    }
}

void ChartPainter::paint(const BoardRow &row, const QRect &place, int labels)
{
    const QRect plot = plotOf(place, labels);
    if (plot.width() < 10 || plot.height() < 10)
        return;
    paintScale(row, plot);
    if (!row.cores.empty())
        paintStrips(row, plot);
    m_painter.setClipRect(plot);
    paintStack(row, plot);
    for (const ShownCurve &shown : row.curves) {
        if (!shown.isDrawn || shown.curve.role == Role::Rail)
            continue;
        const bool isTotal = shown.curve.role == Role::Total && m_series.rails().summed.size() > 1;
        const bool isFilled = shown.curve.role == Role::Load
            || (shown.curve.role == Role::Bytes && &shown == &row.curves.front())
            || (shown.curve.role == Role::Total && !isTotal);
        if (shown.curve.role == Role::Most)
            paintLimit(row, shown, plot);
        else
            paintCurve(row, shown, plot, isFilled);
    }
    paintLimits(row, plot);
    m_painter.setClipping(false);
}

} // namespace jetscope
