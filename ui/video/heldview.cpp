// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/video/heldview.h"

#include "ui/style/icons.h"
#include "ui/style/theme.h"
#include "ui/video/videooverlay.h"

#include <QPainter>
#include <QPushButton>

namespace jetscope {

namespace {

constexpr int kHeldMargin = 12;

} // namespace

HeldView::HeldView(QWidget *parent) : QWidget(parent), m_live(new QPushButton(tr("Back to live"), this))
{
    setObjectName(QStringLiteral("heldView"));
    setAccessibleName(tr("Picture of the selected frame"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_live->setObjectName(QStringLiteral("backToLivePicture"));
    m_live->setIcon(glyphIcon(Glyph::Play));
    m_live->setToolTip(tr("Shows the camera again, and the newest frames on the timeline (Ctrl+End)"));
    connect(m_live, &QPushButton::clicked, this, &HeldView::liveWanted);
}

void HeldView::setFrame(const HeldFrame &held)
{
    m_held = held;
    setAccessibleDescription(held.text);
    update();
}

QRect HeldView::pictureRect() const
{
    QRect rect(QPoint(), m_held.image.size().scaled(size(), Qt::KeepAspectRatio));
    rect.moveCenter(this->rect().center());
    return rect;
}

void HeldView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    if (m_held.image.isNull()) {
        painter.setPen(theme().muted);
        painter.drawText(rect().adjusted(kHeldMargin, 0, -kHeldMargin, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         m_held.text);
        return;
    }
    const QRect picture = pictureRect();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(picture, m_held.image);
    painter.setPen(QPen(theme().accentText, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(picture.adjusted(1, 1, -1, -1));
    paintPictureLabel(painter, picture.topLeft() + QPoint(kHeldMargin, kHeldMargin), tr("selected frame, not live"),
                      width());
    paintPictureLabel(painter, picture.bottomLeft() + QPoint(kHeldMargin, -kHeldMargin - kPictureLabelHeight),
                      m_held.text, width());
}

void HeldView::resizeEvent(QResizeEvent *)
{
    m_live->adjustSize();
    m_live->move(width() - m_live->width() - kHeldMargin, kHeldMargin);
}

} // namespace jetscope
