// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/seenclock.h"

#include "ui/style/theme.h"

#include <QPainter>

#include <algorithm>

namespace jetscope {

SeenClock::SeenClock(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("seenClock"));
    setAccessibleName(tr("What the camera sees"));
    setMinimumSize(138, 78);
}

void SeenClock::show(const ClockSeen &seen)
{
    const LumaPicture &picture = seen.picture;
    if (picture.pixels.empty())
        return clear();
    m_image =
        QImage(picture.pixels.data(), picture.width, picture.height, picture.width, QImage::Format_Grayscale8).copy();
    m_corners.clear();
    if (seen.clock)
        for (const ClockPoint &corner : seen.clock->corners())
            m_corners << QPointF(corner.x / seen.scale, corner.y / seen.scale);
    update();
}

void SeenClock::clear()
{
    m_image = QImage();
    m_corners.clear();
    update();
}

void SeenClock::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    if (m_image.isNull()) {
        painter.setPen(theme().muted);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("No picture yet."));
        return;
    }
    const double scale = std::min(double(width()) / m_image.width(), double(height()) / m_image.height());
    painter.translate((width() - m_image.width() * scale) / 2, (height() - m_image.height() * scale) / 2);
    painter.scale(scale, scale);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(0, 0, m_image);
    if (m_corners.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().accent, 2 / scale));
    painter.drawPolygon(m_corners);
    painter.setBrush(theme().accent);
    for (const QPointF &corner : m_corners)
        painter.drawEllipse(corner, 3 / scale, 3 / scale);
}

} // namespace jetscope
