// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/selectedframeview.h"

#include "ui/live/videooverlay.h"
#include "ui/style/icons.h"
#include "ui/style/theme.h"

#include <QPainter>
#include <QPushButton>

namespace jetscope {

namespace {

constexpr int kSelectedMargin = 12;

} // namespace

SelectedFrameView::SelectedFrameView(QWidget *parent)
    : QWidget(parent), m_live(new QPushButton(tr("Back to live"), this))
{
    setObjectName(QStringLiteral("heldView"));
    setAccessibleName(tr("Picture of the selected frame"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_live->setObjectName(QStringLiteral("backToLivePicture"));
    m_live->setIcon(glyphIcon(Glyph::Play));
    m_live->setToolTip(tr("Shows the camera again, and the newest frames on the timeline (Ctrl+End)"));
    connect(m_live, &QPushButton::clicked, this, &SelectedFrameView::liveWanted);
}

void SelectedFrameView::setFrame(const SelectedPicture &held)
{
    m_picture = held;
    setAccessibleDescription(held.text);
    update();
}

QRect SelectedFrameView::pictureRect() const
{
    QRect rect(QPoint(), m_picture.image.size().scaled(size(), Qt::KeepAspectRatio));
    rect.moveCenter(this->rect().center());
    return rect;
}

void SelectedFrameView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    if (m_picture.image.isNull()) {
        painter.setPen(theme().muted);
        painter.drawText(rect().adjusted(kSelectedMargin, 0, -kSelectedMargin, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         m_picture.text);
        return;
    }
    const QRect picture = pictureRect();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(picture, m_picture.image);
    painter.setPen(QPen(theme().accentText, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(picture.adjusted(1, 1, -1, -1));
    paintPictureLabel(painter, picture.topLeft() + QPoint(kSelectedMargin, kSelectedMargin),
                      tr("selected frame, not live"), width());
    paintPictureLabel(painter, picture.bottomLeft() + QPoint(kSelectedMargin, -kSelectedMargin - kPictureLabelHeight),
                      m_picture.text, width());
}

void SelectedFrameView::resizeEvent(QResizeEvent *)
{
    m_live->adjustSize();
    m_live->move(width() - m_live->width() - kSelectedMargin, kSelectedMargin);
}

} // namespace jetscope
