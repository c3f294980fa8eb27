// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/filmstrip.h"

#include "core/trace/trace.h"
#include "ui/session/traceselection.h"
#include "ui/style/style.h"
#include "ui/style/theme.h"
#include "ui/timeline/frametip.h"

#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <iterator>

namespace jetscope {

namespace {

constexpr int kFilmMargin = 6;
constexpr int kFilmGap = 6;
constexpr int kFilmCaption = 18;
constexpr int kMaxDecoded = 64;
constexpr int kFilmPicture = FilmStrip::kHeight - kFilmMargin - kFilmCaption;

} // namespace

FilmStrip::FilmStrip(const Trace &trace, TraceSelection &selection, QWidget *parent)
    : QWidget(parent), m_trace(trace), m_selection(selection), m_decoded(kMaxDecoded)
{
    setObjectName(QStringLiteral("filmStrip"));
    setProperty("focusRing", true);
    setAccessibleName(tr("Pictures"));
    setAccessibleRole(this, QAccessible::Graphic);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(tr("The pictures kept in this trace: a click selects the frame, arrows and the wheel go on"));
    connect(&selection, &TraceSelection::changed, this, [this] {
        setAccessibleDescription(caption());
        update();
    });
}

bool FilmStrip::isEmpty() const
{
    return m_trace.thumbnails().all().empty();
}

void FilmStrip::refresh()
{
    m_decoded.clear();
    m_width = 0;
    if (!isEmpty()) {
        const QImage first = decodeThumbnail(m_trace.thumbnails().all().front());
        m_width = first.isNull() ? kFilmPicture * 16 / 9
                                 : std::clamp(first.width() * kFilmPicture / std::max(1, first.height()), 20, 400);
    }
    setAccessibleDescription(caption());
    update();
}

/// The picture that is nearest to the selected frame; the newest without one.
std::size_t FilmStrip::middle() const
{
    const auto &all = m_trace.thumbnails().all();
    const auto &frame = m_selection.frame();
    if (!frame || !frame->index)
        return all.size() - 1;
    const Thumbnail *nearest = m_trace.thumbnails().nearest(frame->period.startNs);
    const auto found =
        std::find_if(all.begin(), all.end(), [nearest](const Thumbnail &each) { return &each == nearest; });
    return static_cast<std::size_t>(std::distance(all.begin(), found));
}

int FilmStrip::slotWidth() const
{
    return m_width + kFilmGap;
}

/// At the ends of the film the room is used, and the picture leaves the middle.
int FilmStrip::leftOf(std::size_t picture) const
{
    const int count = static_cast<int>(m_trace.thumbnails().all().size());
    const int whole = count * slotWidth() + kFilmGap;
    const int wanted = width() / 2 - slotWidth() / 2 - static_cast<int>(middle()) * slotWidth();
    const int first = whole <= width() ? kFilmGap : std::clamp(wanted, width() - whole + kFilmGap, kFilmGap);
    return first + static_cast<int>(picture) * slotWidth();
}

std::optional<std::size_t> FilmStrip::pictureAt(int x) const
{
    if (isEmpty())
        return std::nullopt;
    const int place = x - leftOf(0);
    const auto index = static_cast<std::size_t>(std::max(0, place / slotWidth()));
    if (place < 0 || place % slotWidth() >= m_width || index >= m_trace.thumbnails().all().size())
        return std::nullopt;
    return index;
}

QPixmap FilmStrip::picture(std::size_t index) const
{
    if (const QPixmap *known = m_decoded.object(index))
        return *known;
    const double ratio = devicePixelRatioF();
    const QSize room = QSizeF(m_width * ratio, kFilmPicture * ratio).toSize();
    const QImage image = decodeThumbnail(m_trace.thumbnails().all()[index]);
    QPixmap pixmap = image.isNull()
        ? QPixmap()
        : QPixmap::fromImage(image.scaled(room, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    pixmap.setDevicePixelRatio(ratio);
    m_decoded.insert(index, new QPixmap(pixmap));
    return pixmap;
}

QString FilmStrip::caption() const
{
    if (isEmpty())
        return {};
    const Thumbnail &shown = m_trace.thumbnails().all()[middle()];
    const auto &frame = m_selection.frame();
    if (frame && frame->key != shown.frame)
        return tr("frame %1, the nearest to frame %2 that was kept")
            .arg(m_trace.frameNumber(shown.frame))
            .arg(m_trace.frameNumber(frame->key));
    return tr("frame %1, as kept in the capture").arg(m_trace.frameNumber(shown.frame));
}

void FilmStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    if (isEmpty())
        return;
    const auto &all = m_trace.thumbnails().all();
    const std::size_t chosen = middle();
    const int before = std::max(0, -leftOf(0) / slotWidth());
    for (auto i = static_cast<std::size_t>(before); i < all.size() && leftOf(i) < width(); ++i) {
        const QRect place(leftOf(i), kFilmMargin, m_width, kFilmPicture);
        painter.drawPixmap(place, picture(i));
        const bool isChosen = i == chosen && m_selection.frame();
        painter.setPen(isChosen ? theme().accentText : theme().border);
        painter.drawRect(place.adjusted(0, 0, -1, -1));
        if (isChosen)
            painter.drawRect(place.adjusted(1, 1, -2, -2));
        painter.setPen(isChosen ? theme().text : theme().muted);
        const QRect words(place.left(), place.bottom() + 1, m_width, kFilmCaption);
        painter.drawText(words, Qt::AlignCenter, QString::number(m_trace.frameNumber(all[i].frame)));
    }
}

void FilmStrip::choose(std::size_t picture)
{
    const Thumbnail &wanted = m_trace.thumbnails().all()[picture];
    if (const auto frame = m_trace.frames().find(wanted.frame))
        m_selection.selectFrame(*frame);
}

void FilmStrip::step(int by)
{
    if (isEmpty())
        return;
    const auto last = static_cast<int>(m_trace.thumbnails().all().size()) - 1;
    choose(static_cast<std::size_t>(std::clamp(static_cast<int>(middle()) + by, 0, last)));
}

void FilmStrip::mousePressEvent(QMouseEvent *event)
{
    if (const auto picture = pictureAt(event->pos().x()); picture && event->button() == Qt::LeftButton)
        choose(*picture);
}

void FilmStrip::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    const int turned = delta.y() != 0 ? delta.y() : delta.x();
    if (turned != 0)
        step(turned > 0 ? -1 : 1);
    event->accept();
}

void FilmStrip::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        step(event->key() == Qt::Key_Left ? -1 : 1);
    else
        QWidget::keyPressEvent(event);
}

} // namespace jetscope
