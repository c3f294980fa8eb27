// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/skewview.h"

#include "ui/style/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kSkewNames = 150; ///< Width of the names at the left.
constexpr int kSkewAxis = 20;   ///< Height of the axis below.
constexpr std::size_t kMostDots = 300;

/// 1, 2 or 5 times a power of ten, not below a value.
double roundReach(double ms)
{
    const double power = std::pow(10, std::floor(std::log10(ms)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= ms)
            return factor * power;
    return 10 * power;
}

} // namespace

SkewView::SkewView(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("skewView"));
    setAccessibleName(tr("How far the cameras are apart"));
    setMinimumSize(240, 90);
}

void SkewView::show(const SkewFinding &finding, const QStringList &names)
{
    m_finding = finding;
    m_names = names;
    double farthest = 0.5;
    for (const CameraFinding &camera : finding.cameras)
        for (const std::vector<double> *each : {&camera.offsetsMs, &camera.arrivalOffsetsMs})
            for (const double ms : *each)
                farthest = std::max(farthest, std::abs(ms));
    m_reachMs = roundReach(farthest);
    QStringList words;
    for (std::size_t i = 0; i < finding.cameras.size(); ++i)
        words += tr("%1: stamps %2 ms, arrivals %3 ms")
                     .arg(m_names.value(static_cast<int>(i)))
                     .arg(finding.cameras[i].skewMs, 0, 'f', 2)
                     .arg(finding.cameras[i].arrivalSkewMs, 0, 'f', 2);
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    update();
}

double SkewView::xOf(double ms) const
{
    const double middle = kSkewNames + (width() - kSkewNames - 10) / 2.0;
    return middle + ms / m_reachMs * (width() - kSkewNames - 10) / 2.0;
}

/// The upper half has the stamps, the lower one the arrivals.
void SkewView::paintCamera(QPainter &painter, std::size_t camera, const QRect &row) const
{
    const CameraFinding &found = m_finding.cameras[camera];
    const bool isCulprit = m_finding.culprit == camera;
    painter.setPen(isCulprit ? theme().warn : theme().text);
    const QString name = m_names.value(static_cast<int>(camera));
    painter.drawText(QRect(6, row.top(), kSkewNames - 12, row.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(name, Qt::ElideMiddle, kSkewNames - 12));
    const double half = row.height() / 2.0 - 2;
    const auto strip = [&](const std::vector<double> &offsets, double median, double top, QColor color) {
        const std::size_t from = offsets.size() - std::min(offsets.size(), kMostDots);
        QColor faint = color;
        faint.setAlphaF(0.25F);
        for (std::size_t i = from; i < offsets.size(); ++i)
            painter.fillRect(QRectF(xOf(offsets[i]) - 1, top, 2, half), faint);
        painter.fillRect(QRectF(xOf(median) - 1.5, top, 3, half), color);
    };
    strip(found.offsetsMs, found.skewMs, row.top() + 1, isCulprit ? theme().warn : theme().cpuOnly);
    strip(found.arrivalOffsetsMs, found.arrivalSkewMs, row.top() + row.height() / 2.0 + 1, theme().muted);
}

void SkewView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    painter.setPen(theme().muted);
    if (m_finding.groups == 0) {
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("How far the frames of a moment are apart will be shown here."));
        return;
    }
    const QRect plot = rect().adjusted(0, 4, 0, -kSkewAxis);
    const QString legend = tr("above stamps, below arrivals");
    const int legendEnd = 6 + painter.fontMetrics().horizontalAdvance(legend) + 6;
    for (const double part : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        const int x = static_cast<int>(xOf(part * m_reachMs));
        painter.setPen(QPen(theme().border, 1, part == 0 ? Qt::SolidLine : Qt::DotLine));
        painter.drawLine(x, plot.top(), x, plot.bottom());
        painter.setPen(theme().muted);
        const QString text = part == 1 ? tr("%1 ms").arg(m_reachMs) : QString::number(part * m_reachMs);
        const int wide = painter.fontMetrics().horizontalAdvance(text);
        if (x - wide / 2 > legendEnd)
            painter.drawText(std::min(x - wide / 2, width() - wide - 2), height() - 5, text);
    }
    painter.drawText(6, height() - 5, legend);
    const int high = std::min(44, plot.height() / std::max(1, static_cast<int>(m_finding.cameras.size())));
    for (std::size_t i = 0; i < m_finding.cameras.size(); ++i)
        paintCamera(painter, i, QRect(0, plot.top() + static_cast<int>(i) * high, width(), high));
}

} // namespace jetscope
