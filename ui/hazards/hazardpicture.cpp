// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/hazardpicture.h"

#include "core/hazards/hazardwords.h"
#include "ui/style/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kMaxLabelSpaces = 16; ///< Limit of the width of texts, in units of space().
constexpr int kArrowSpaces = 4;

BarColors colorsOf(const FoundAccess &access)
{
    switch (queueKindOf(access.queue.toStdString())) {
    case QueueKind::Stream:
        return barColors(Category::Kernel, theme());
    case QueueKind::Gl:
        return barColors(Category::Draw, theme());
    case QueueKind::Cpu:
        break;
    }
    return barColors(Category::CpuStage, theme());
}

/// "CPU stage thread"
QString laneLabel(QString queue)
{
    if (queue.startsWith(QLatin1String("the ")))
        queue.remove(0, 4);
    return queue.left(1).toUpper() + queue.mid(1);
}

} // namespace

HazardPicture::HazardPicture(const FoundHazard &hazard, QWidget *parent) : QWidget(parent), m_arrow(hazard.lacksOrder())
{
    QStringList texts;
    for (const auto &access : {hazard.first, hazard.second}) {
        if (!access)
            continue;
        if (!m_queues.contains(access->queue))
            m_queues.append(access->queue);
        m_boxes.push_back({*access, static_cast<int>(m_queues.indexOf(access->queue))});
        texts.append(access->text());
    }
    setAccessibleName(tr("Accesses of the hazard"));
    setAccessibleDescription(texts.join(m_arrow ? tr("; then, without an order: ") : QStringLiteral("; ")));
    setToolTip(m_arrow ? tr("Nothing orders the second access after the first") : QString());
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

int HazardPicture::space() const
{
    return fontMetrics().height();
}

int HazardPicture::laneHeight() const
{
    return 2 * fontMetrics().lineSpacing() + space();
}

int HazardPicture::labelWidth() const
{
    int width = 0;
    for (const QString &queue : m_queues)
        width = std::max(width, fontMetrics().horizontalAdvance(laneLabel(queue)));
    return std::min(width + 2, kMaxLabelSpaces * space());
}

int HazardPicture::boxWidth(const Box &box) const
{
    const int text = std::max(fontMetrics().horizontalAdvance(box.access.brief()),
                              fontMetrics().horizontalAdvance(box.access.kind()));
    return std::min(text, kMaxLabelSpaces * space()) + space();
}

QRect HazardPicture::boxRect(std::size_t index) const
{
    int left = labelWidth() + space();
    for (std::size_t i = 0; i < index; ++i)
        left += boxWidth(m_boxes[i]) + kArrowSpaces * space();
    const int margin = space() / 4;
    return {left, m_boxes[index].lane * laneHeight() + margin, boxWidth(m_boxes[index]), laneHeight() - 2 * margin};
}

QSize HazardPicture::sizeHint() const
{
    return m_boxes.empty() ? QSize() : QSize(boxRect(m_boxes.size() - 1).right() + space(), laneHeight() * lanes());
}

void HazardPicture::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int lane = 0; lane < lanes(); ++lane)
        paintLane(painter, lane);
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        paintBox(painter, i);
    if (m_arrow)
        paintArrow(painter);
}

void HazardPicture::paintLane(QPainter &painter, int lane) const
{
    const QRect row(0, lane * laneHeight(), width(), laneHeight());
    painter.setPen(QPen(theme().border, 1));
    painter.drawLine(labelWidth() + space() / 2, row.center().y(), width(), row.center().y());
    painter.setPen(theme().muted);
    const QString label = fontMetrics().elidedText(laneLabel(m_queues[lane]), Qt::ElideRight, labelWidth());
    painter.drawText(QRect(0, row.top(), labelWidth(), row.height()), Qt::AlignLeft | Qt::AlignVCenter, label);
}

void HazardPicture::paintBox(QPainter &painter, std::size_t index) const
{
    const Box &box = m_boxes[index];
    const QRect rect = boxRect(index);
    const BarColors colors = colorsOf(box.access);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.fill);
    painter.drawRoundedRect(rect, 3, 3);
    painter.setPen(colors.text);
    const QRect text = rect.adjusted(space() / 2, 0, -space() / 2 + 1, 0);
    const int middle = rect.center().y();
    const auto line = [&](const QString &words, int top) {
        painter.drawText(QRect(text.left(), top, text.width(), fontMetrics().lineSpacing()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(words, Qt::ElideRight, text.width()));
    };
    line(box.access.brief(), middle - fontMetrics().lineSpacing());
    line(box.access.kind(), middle);
}

void HazardPicture::paintArrow(QPainter &painter) const
{
    const QRectF from = boxRect(0);
    const QRectF to = boxRect(1);
    const QPointF start(from.right() + 3, from.center().y());
    const QPointF end(to.left() - 2, to.center().y());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().bad, 2, Qt::DashLine));
    painter.drawLine(start, end);

    const double angle = std::atan2(end.y() - start.y(), end.x() - start.x());
    const double size = space() * 0.6;
    QPainterPath head(end);
    for (const double side : {0.45, -0.45})
        head.lineTo(end - QPointF(std::cos(angle + side), std::sin(angle + side)) * size);
    head.closeSubpath();
    painter.fillPath(head, theme().bad);

    const QPointF middle = (start + end) / 2;
    const double radius = space() * 0.62;
    painter.setPen(QPen(theme().bad, 1.5));
    painter.setBrush(theme().badFill);
    painter.drawEllipse(middle, radius, radius);
    painter.setPen(theme().bad);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawText(QRectF(middle - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)), Qt::AlignCenter,
                     QStringLiteral("?"));
}

} // namespace jetscope
