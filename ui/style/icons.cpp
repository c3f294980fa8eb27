// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/icons.h"

#include "ui/style/theme.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace jetscope {

namespace {

constexpr double kSide = 16; ///< Side length of the design grid.

QPolygonF triangle(QPointF a, QPointF b, QPointF c)
{
    return QPolygonF{a, b, c};
}

/// A lens, and three lanes of a timeline seen through it.
void drawLens(QPainter &p, const QColor &frame, const Theme &t)
{
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(frame, 1.3));
    p.drawEllipse(QPointF(7, 7), 5.3, 5.3);
    p.setPen(QPen(frame, 2, Qt::SolidLine, Qt::RoundCap));
    p.drawLine(QPointF(11.3, 11.3), QPointF(13.7, 13.7));
    p.fillRect(QRectF(3.5, 4.5, 5, 1.5), t.cpuOnly);
    p.fillRect(QRectF(5, 6.5, 5.5, 1.5), t.gpuOnly);
    p.fillRect(QRectF(6.5, 8.5, 3, 1.5), barColors(Category::Draw, t).fill);
}

/// Glyphs made of lines.
void drawLines(QPainter &p, Glyph glyph)
{
    switch (glyph) {
    case Glyph::Close:
        p.drawLine(QPointF(4.5, 4.5), QPointF(11.5, 11.5));
        p.drawLine(QPointF(11.5, 4.5), QPointF(4.5, 11.5));
        return;
    case Glyph::Up:
        p.drawPolyline(QPolygonF{{4, 10}, {8, 6}, {12, 10}});
        return;
    case Glyph::Down:
        p.drawPolyline(QPolygonF{{4, 6}, {8, 10}, {12, 6}});
        return;
    case Glyph::Live: // A camera's eye with waves.
        p.drawEllipse(QPointF(8, 8), 1.4, 1.4);
        p.drawArc(QRectF(4.4, 4.4, 7.2, 7.2), 135 * 16, 90 * 16);
        p.drawArc(QRectF(4.4, 4.4, 7.2, 7.2), -45 * 16, 90 * 16);
        p.drawArc(QRectF(2, 2, 12, 12), 135 * 16, 90 * 16);
        p.drawArc(QRectF(2, 2, 12, 12), -45 * 16, 90 * 16);
        return;
    case Glyph::Trace: // Bars on three lanes.
        p.drawLine(QPointF(2, 4), QPointF(8, 4));
        p.drawLine(QPointF(5, 8), QPointF(13.5, 8));
        p.drawLine(QPointF(3, 12), QPointF(10, 12));
        return;
    case Glyph::Board: // A chip.
        p.drawRect(QRectF(4, 4, 8, 8));
        for (const double at : {6.0, 10.0}) {
            p.drawLine(QPointF(at, 2.2), QPointF(at, 4));
            p.drawLine(QPointF(at, 12), QPointF(at, 13.8));
            p.drawLine(QPointF(2.2, at), QPointF(4, at));
            p.drawLine(QPointF(12, at), QPointF(13.8, at));
        }
        return;
    case Glyph::Lab: // A flask.
        p.drawLine(QPointF(5.5, 2.2), QPointF(10.5, 2.2));
        p.drawPolyline(QPolygonF{{6.5, 2.2}, {6.5, 6.5}, {2.8, 13.5}, {13.2, 13.5}, {9.5, 6.5}, {9.5, 2.2}});
        p.drawLine(QPointF(4.6, 10.4), QPointF(11.4, 10.4));
        return;
    case Glyph::Open: // A folder.
        p.drawPolygon(QPolygonF{{2, 13}, {2, 3.5}, {6, 3.5}, {7.5, 5.5}, {14, 5.5}, {14, 13}});
        return;
    case Glyph::Compare:
        p.drawLine(QPointF(2, 5), QPointF(14, 5));
        p.drawLine(QPointF(2, 11), QPointF(9, 11));
        return;
    case Glyph::Export: // An arrow down onto a tray.
        p.drawLine(QPointF(8, 2.5), QPointF(8, 10));
        p.drawPolyline(QPolygonF{{5, 7}, {8, 10}, {11, 7}});
        p.drawLine(QPointF(3, 13.5), QPointF(13, 13.5));
        return;
    case Glyph::Eye:
        p.drawArc(QRectF(1.5, 3.5, 13, 12), 25 * 16, 130 * 16);
        p.drawArc(QRectF(1.5, 0.5, 13, 12), 205 * 16, 130 * 16);
        p.drawEllipse(QPointF(8, 8), 1.8, 1.8);
        return;
    default: // Search.
        p.drawEllipse(QPointF(7, 7), 4.2, 4.2);
        p.drawLine(QPointF(10.2, 10.2), QPointF(13.8, 13.8));
        return;
    }
}

void drawGlyph(QPainter &p, Glyph glyph, const Theme &t)
{
    const QPen line(p.brush().color(), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    switch (glyph) {
    case Glyph::Logo:
        drawLens(p, t.accentText, t);
        return;
    case Glyph::App:
        p.setBrush(darkTheme().panel);
        p.drawRoundedRect(QRectF(0.7, 0.7, 14.6, 14.6), 3.2, 3.2);
        p.translate(0.9, 0.9);
        p.scale(0.87, 0.87);
        drawLens(p, darkTheme().text, darkTheme());
        return;
    case Glyph::Pause:
        p.drawRect(QRectF(3.5, 3, 3, 10));
        p.drawRect(QRectF(9.5, 3, 3, 10));
        return;
    case Glyph::Play:
        p.drawPolygon(triangle({4, 2.5}, {4, 13.5}, {13, 8}));
        return;
    case Glyph::Step:
        p.drawPolygon(triangle({3, 3}, {3, 13}, {10, 8}));
        p.drawRect(QRectF(11, 3, 2, 10));
        return;
    case Glyph::Record:
        p.setBrush(t.bad);
        p.drawEllipse(QPointF(8, 8), 4.5, 4.5);
        return;
    case Glyph::Stop:
        p.setBrush(t.bad);
        p.drawRect(QRectF(4, 4, 8, 8));
        return;
    case Glyph::Warning:
        p.setBrush(t.warn);
        p.drawPolygon(triangle({8, 1.5}, {15, 14.5}, {1, 14.5}));
        p.fillRect(QRectF(7.2, 6, 1.7, 4.2), t.panel);
        p.fillRect(QRectF(7.2, 11.2, 1.7, 1.7), t.panel);
        return;
    case Glyph::Pin:
        p.drawEllipse(QPointF(8, 5.5), 3.5, 3.5);
        p.setPen(line);
        p.drawLine(QPointF(8, 9), QPointF(8, 14));
        return;
    default:
        p.setPen(line);
        p.setBrush(Qt::NoBrush);
        drawLines(p, glyph);
        return;
    }
}

/// Draws on demand, so that a theme change applies to every icon.
class GlyphEngine : public QIconEngine {
public:
    explicit GlyphEngine(Glyph glyph) : m_glyph(glyph) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.topLeft());
        painter->scale(rect.width() / kSide, rect.height() / kSide);
        painter->setPen(Qt::NoPen);
        painter->setBrush(mode == QIcon::Disabled ? theme().disabled : theme().text);
        painter->setOpacity(mode == QIcon::Disabled ? 0.6 : 1);
        drawGlyph(*painter, m_glyph, theme());
        painter->restore();
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine *clone() const override { return new GlyphEngine(m_glyph); }

private:
    Glyph m_glyph;
};

} // namespace

QIcon glyphIcon(Glyph glyph)
{
    return QIcon(new GlyphEngine(glyph));
}

} // namespace jetscope
