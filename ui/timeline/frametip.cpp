// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/frametip.h"

#include "core/trace/tracefigures.h"
#include "ui/style/text.h"

#include <QBuffer>
#include <QImage>
#include <QImageReader>
#include <QLabel>
#include <QPixmap>
#include <QVBoxLayout>

namespace jetscope {

namespace {

constexpr int kWidth = 176;
constexpr int kMaxThumbnailSide = 2048; ///< Thumbnails of this program are 192 pixels wide.

} // namespace

/// A capture may come from an untrusted source, so only the formats and sizes that captures use are decoded.
QImage decodeThumbnail(const Thumbnail &thumbnail)
{
    QByteArray encoded = QByteArray::fromRawData(reinterpret_cast<const char *>(thumbnail.encoded.data()),
                                                 static_cast<qsizetype>(thumbnail.encoded.size()));
    QBuffer buffer(&encoded);
    QImageReader reader(&buffer, encoded.startsWith("\x89PNG") ? "png" : "jpg");
    const QSize size = reader.size();
    return size.width() <= kMaxThumbnailSide && size.height() <= kMaxThumbnailSide ? reader.read() : QImage();
}

FrameTip::FrameTip(QWidget *parent) : QFrame(parent), m_picture(new QLabel(this)), m_text(new QLabel(this))
{
    setObjectName(QStringLiteral("frameTip"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    m_picture->setAlignment(Qt::AlignCenter);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setFixedWidth(kWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->setSpacing(4);
    column->addWidget(m_picture);
    column->addWidget(m_text);
    hide();
}

void FrameTip::showFrame(const Trace &trace, std::uint64_t frame, QPoint above)
{
    const FrameFigures figures = trace.frames().at(frame);
    QString text = tr("frame %1 · %2").arg(trace.frameNumber(figures.frame)).arg(durationText(figures.periodNs()));
    if (figures.overlap.overlapBounds())
        text += tr(" · overlap %1").arg(overlapText(figures.overlap));
    if (const std::string why = overlapReasonIn(trace, figures.overlap); !why.empty())
        text += tr("\nno overlap: %1").arg(toQString(why));
    const Thumbnail *thumbnail = trace.thumbnails().nearest(figures.startNs);
    const QImage image = thumbnail ? decodeThumbnail(*thumbnail) : QImage();
    m_picture->setVisible(!image.isNull());
    if (image.isNull())
        text += tr("\nno picture was kept");
    else
        m_picture->setPixmap(QPixmap::fromImage(image.scaledToWidth(kWidth, Qt::SmoothTransformation)));
    if (!image.isNull() && thumbnail->frame != figures.frame)
        text += tr("\npicture of frame %1, the nearest kept").arg(trace.frameNumber(thumbnail->frame));
    m_text->setText(text);
    adjustSize();
    const int right = std::max(0, parentWidget()->width() - width());
    move(std::clamp(above.x() - width() / 2, 0, right), std::max(0, above.y() - height()));
    show();
    raise();
}

QString FrameTip::text() const
{
    return m_text->text();
}

bool FrameTip::hasPicture() const
{
    return !m_picture->isHidden();
}

} // namespace jetscope
