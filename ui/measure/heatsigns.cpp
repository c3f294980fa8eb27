// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/heatsigns.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <numbers>

namespace jetscope {

namespace {

constexpr double kHatchPitch = 7;

QPainterPath starPath(const QRectF &room)
{
    constexpr int kPoints = 5;
    QPainterPath path;
    const double outer = std::min(room.width(), room.height()) / 2;
    for (int i = 0; i < 2 * kPoints; ++i) {
        const double radius = i % 2 == 0 ? outer : outer * 0.42;
        const double angle = std::numbers::pi * (i / static_cast<double>(kPoints) - 0.5);
        const QPointF point = room.center() + radius * QPointF(std::cos(angle), std::sin(angle));
        i == 0 ? path.moveTo(point) : path.lineTo(point);
    }
    path.closeSubpath();
    return path;
}

/// Two waves, one above the other.
QPainterPath tiePath(const QRectF &room)
{
    QPainterPath path;
    const double width = room.width() * 0.86;
    const double left = room.center().x() - width / 2;
    for (const double dy : {-0.14, 0.18}) {
        const QPointF start(left, room.center().y() + dy * room.height());
        path.moveTo(start);
        path.cubicTo(start + QPointF(width * 0.35, -room.height() * 0.3),
                     start + QPointF(width * 0.65, room.height() * 0.3), start + QPointF(width, 0));
    }
    return path;
}

QPainterPath crossPath(const QRectF &room)
{
    const QRectF square =
        room.adjusted(room.width() * 0.18, room.height() * 0.18, -room.width() * 0.18, -room.height() * 0.18);
    QPainterPath path;
    path.moveTo(square.topLeft());
    path.lineTo(square.bottomRight());
    path.moveTo(square.topRight());
    path.lineTo(square.bottomLeft());
    return path;
}

QPainterPath trianglePath(const QRectF &room)
{
    QPainterPath path;
    path.moveTo(room.center().x(), room.top() + 1);
    path.lineTo(room.right() - 0.5, room.bottom() - 1);
    path.lineTo(room.left() + 0.5, room.bottom() - 1);
    path.closeSubpath();
    return path;
}

void paintHatching(QPainter &painter, const QRect &room, const QColor &color)
{
    painter.save();
    painter.setClipRect(room);
    painter.setPen(QPen(color, 1.6));
    for (double x = room.left() - room.height(); x < room.right(); x += kHatchPitch)
        painter.drawLine(QPointF(x, room.bottom()), QPointF(x + room.height(), room.top()));
    painter.restore();
}

} // namespace

void paintHeatSign(QPainter &painter, const QRect &room, HeatSign sign, const QColor &color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF place(room);
    switch (sign) {
    case HeatSign::None:
        break;
    case HeatSign::Best:
        painter.fillPath(starPath(place), color);
        break;
    case HeatSign::Tie:
        painter.strokePath(tiePath(place), QPen(color, 1.5));
        break;
    case HeatSign::Failed:
        painter.strokePath(crossPath(place), QPen(color, 1.8));
        break;
    case HeatSign::Hazard:
        painter.strokePath(trianglePath(place), QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.fillRect(
            QRectF(place.center().x() - 0.7, place.top() + place.height() * 0.42, 1.4, place.height() * 0.26), color);
        painter.fillRect(QRectF(place.center().x() - 0.7, place.top() + place.height() * 0.74, 1.4, 1.4), color);
        break;
    }
    painter.restore();
}

HeatSign signOf(const HeatCell &cell)
{
    if (cell.state == HeatCell::State::Failed)
        return HeatSign::Failed;
    if (cell.state != HeatCell::State::Measured)
        return HeatSign::None;
    return cell.row->isBest ? HeatSign::Best : cell.row->isTie ? HeatSign::Tie : HeatSign::None;
}

void paintHeatGround(QPainter &painter, const QRect &room, const HeatCell &cell, const Theme &theme)
{
    switch (cell.state) {
    case HeatCell::State::Measured:
        painter.fillRect(room, theme.heat[static_cast<std::size_t>(cell.level)]);
        break;
    case HeatCell::State::Failed:
        painter.fillRect(room, theme.badFill);
        break;
    case HeatCell::State::LeftOut:
        paintHatching(painter, room, theme.border);
        break;
    case HeatCell::State::NotPart:
    case HeatCell::State::NotMeasured:
    case HeatCell::State::Unknown:
        painter.fillRect(room, theme.card);
        break;
    }
    const HeatSign sign = signOf(cell);
    if (sign != HeatSign::Best && sign != HeatSign::Tie)
        return;
    const bool best = sign == HeatSign::Best;
    QPen pen(theme.text, best ? 2 : 1, best ? Qt::SolidLine : Qt::DashLine);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(room).adjusted(1, 1, -1, -1));
}

} // namespace jetscope
