// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/selectedframeview.h"

#include "core/trace/trace.h"
#include "ui/live/recentpictures.h"
#include "ui/live/videooverlay.h"
#include "ui/session/traceselection.h"
#include "ui/style/icons.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/frametip.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPushButton>
#include <cstdlib>

namespace jetscope {

namespace {

constexpr int kSelectedMargin = 12;

/// Pictures farther away in time are not shown for a frame.
constexpr std::int64_t kNearNs = 1'000'000'000;

QString selectedText(const char *text)
{
    return QCoreApplication::translate("jetscope::SelectedPicture", text);
}

QString sizeText(const QImage &image)
{
    return QStringLiteral("%1×%2").arg(image.width()).arg(image.height());
}

std::int64_t timeOf(const TraceSelection &selection, const Trace &trace)
{
    if (selection.frame()->index)
        return selection.frame()->period.startNs;
    return selection.span() ? selection.span()->bar.span.startNs : trace.newestNs();
}

SelectedPicture nothing(const Trace &trace, std::uint32_t frame, std::int64_t ns)
{
    const auto &kept = trace.thumbnails().all();
    const bool tooOld = !kept.empty() && ns < kept.front().timeNs;
    const QString text = tooOld ? selectedText("The picture of frame %1 is no longer stored.")
                                : selectedText("No picture of frame %1 was stored, and none within a second of it.");
    return {SelectedPicture::Kind::None, {}, text.arg(trace.frameNumber(frame))};
}

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
    paintPictureLabel(painter, picture.bottomLeft() + QPoint(kSelectedMargin, -kSelectedMargin - pictureLabelHeight()),
                      m_picture.text, width());
}

void SelectedFrameView::resizeEvent(QResizeEvent *)
{
    m_live->adjustSize();
    m_live->move(width() - m_live->width() - kSelectedMargin, kSelectedMargin);
}

SelectedPicture selectedPicture(const Trace &trace, const RecentPictures &recent, const TraceSelection &selection)
{
    const std::uint32_t frame = selection.frame()->key;
    if (const QImage whole = recent.find(frame); !whole.isNull())
        return {SelectedPicture::Kind::Whole, whole,
                selectedText("frame %1 · stored in full size · %2").arg(trace.frameNumber(frame)).arg(sizeText(whole))};
    const std::int64_t ns = timeOf(selection, trace);
    const Thumbnail *nearest = trace.thumbnails().nearest(ns);
    const std::int64_t away = nearest ? nearest->timeNs - ns : kNearNs;
    const QImage image = nearest && std::abs(away) < kNearNs ? decodeThumbnail(*nearest) : QImage();
    if (image.isNull())
        return nothing(trace, frame, ns);
    if (nearest->frame == frame)
        return {
            SelectedPicture::Kind::Thumbnail, image,
            selectedText("frame %1 · stored as a thumbnail of %2").arg(trace.frameNumber(frame)).arg(sizeText(image))};
    return {SelectedPicture::Kind::Nearest, image,
            (away < 0 ? selectedText("frame %1, %2 before frame %3, which is not stored · thumbnail")
                      : selectedText("frame %1, %2 after frame %3, which is not stored · thumbnail"))
                .arg(trace.frameNumber(nearest->frame))
                .arg(durationText(std::abs(away)))
                .arg(trace.frameNumber(frame))};
}

} // namespace jetscope
