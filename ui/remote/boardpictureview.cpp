// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/boardpictureview.h"

#include "ui/live/videooverlay.h"
#include "ui/style/icons.h"
#include "ui/style/style.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QWheelEvent>

#include <cmath>

namespace jetscope {

namespace {

constexpr int kBoardMargin = 12;
constexpr int kPanStep = 40;
constexpr double kZoomStep = 1.2;

QImage imageOf(const RgbaPicture &picture)
{
    return QImage(reinterpret_cast<const uchar *>(picture.rgba.data()), picture.width, picture.height,
                  picture.width * 4, QImage::Format_RGBX8888)
        .copy();
}

QString sizeWords(int width, int height)
{
    return QStringLiteral("%1 × %2").arg(width).arg(height);
}

} // namespace

BoardPictureView::BoardPictureView(QWidget *parent)
    : QWidget(parent),
      m_back(new QPushButton(tr("Back to the previews"), this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this))
{
    setObjectName(QStringLiteral("boardPicture"));
    setProperty("focusRing", true);
    setAccessibleName(tr("Picture of the board"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(320, 180);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_back->setObjectName(QStringLiteral("backToPreviews"));
    m_back->setIcon(glyphIcon(Glyph::Play));
    m_back->setToolTip(tr("Shows the newest frames again, reduced (Esc)"));
    m_progress->setObjectName(QStringLiteral("wholeProgress"));
    m_progress->setAccessibleName(tr("Progress of the whole frame"));
    m_progress->setFixedWidth(240);
    m_cancel->setObjectName(QStringLiteral("cancelWhole"));
    m_cancel->setToolTip(tr("Does not fetch the whole frame (Esc)"));
    connect(m_back, &QPushButton::clicked, this, &BoardPictureView::showPreviews);
    connect(m_cancel, &QPushButton::clicked, this, &BoardPictureView::cancelFetch);
    showState();
}

BoardPictureView::~BoardPictureView()
{
    setPictures(nullptr, {});
}

void BoardPictureView::setPictures(std::shared_ptr<RemotePictures> pictures, const QString &board)
{
    if (m_pictures)
        m_pictures->setListener(nullptr);
    m_pictures = std::move(pictures);
    m_board = board;
    m_reduced.reset();
    m_whole.reset();
    m_image = {};
    m_trouble.clear();
    m_isFetching = false;
    m_transform = {};
    if (m_pictures) {
        m_pictures->setListener(
            [this] { QMetaObject::invokeMethod(this, &BoardPictureView::takeNews, Qt::QueuedConnection); });
        takeNews();
    }
    showState();
}

QString BoardPictureView::whyNoFetch() const
{
    if (!m_pictures)
        return tr("The pipeline runs on this machine: its frames are whole.");
    if (!m_reduced)
        return tr("There is no picture of the board yet.");
    if (m_whole)
        return tr("The whole frame is shown.");
    return m_isFetching ? tr("The whole frame is being fetched.") : QString();
}

void BoardPictureView::takeNews()
{
    if (!m_pictures)
        return;
    if (std::optional<BoardPicture> reduced = m_pictures->takeReduced())
        takeReduced(std::move(*reduced));
    if (std::optional<Result<BoardPicture>> whole = m_pictures->takeWhole())
        takeWhole(std::move(*whole));
    if (const QString trouble = toQString(m_pictures->trouble()); trouble != m_trouble) {
        m_trouble = trouble;
        if (!trouble.isEmpty())
            emit troubled(trouble);
    }
    showProgress();
    askIfSeen();
}

/// One that comes while the whole frame is fetched or shown is of another frame.
void BoardPictureView::takeReduced(BoardPicture picture)
{
    if (m_whole || m_isFetching)
        return;
    m_image = imageOf(picture.picture);
    m_reducedSize = m_image.size();
    picture.picture = {};
    m_reduced = std::move(picture);
    emit reducedShown(m_reduced->frame);
    showState();
}

void BoardPictureView::takeWhole(Result<BoardPicture> whole)
{
    m_isFetching = false;
    if (whole.ok()) {
        m_image = imageOf(whole.value().picture);
        m_whole = std::move(whole).value();
        m_whole->picture = {};
    } else {
        emit fetchFailed(toQString(whole.error().message()));
    }
    showState();
}

void BoardPictureView::askIfSeen()
{
    if (m_pictures && isVisible() && !window()->isMinimized() && !m_whole && !m_isFetching)
        m_pictures->ask();
}

void BoardPictureView::fetchWhole()
{
    if (!whyNoFetch().isEmpty())
        return;
    m_isFetching = true;
    m_pictures->fetchWhole(*m_reduced);
    showProgress();
    showState();
}

void BoardPictureView::cancelFetch()
{
    if (!std::exchange(m_isFetching, false))
        return;
    m_pictures->cancelWhole();
    showState();
    askIfSeen();
}

void BoardPictureView::showPreviews()
{
    if (!m_whole)
        return;
    m_whole.reset();
    m_reduced.reset();
    setFocus();
    showState();
    askIfSeen();
}

void BoardPictureView::showProgress()
{
    const std::optional<RemotePictures::Progress> progress = m_pictures ? m_pictures->progress() : std::nullopt;
    constexpr std::uint64_t kSteps = 1000;
    m_progress->setMaximum(progress && progress->of > 0 ? static_cast<int>(kSteps) : 0); // 0: it only moves.
    if (progress && progress->of > 0)
        m_progress->setValue(static_cast<int>(progress->bytes * kSteps / progress->of));
}

void BoardPictureView::showState()
{
    m_back->setVisible(m_whole.has_value());
    m_progress->setVisible(m_isFetching);
    m_cancel->setVisible(m_isFetching);
    setCursor(whyNoFetch().isEmpty() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAccessibleDescription(label() + QStringLiteral(". ") + hint());
    update();
    emit changed();
}

QSize BoardPictureView::frameSize() const
{
    const std::optional<BoardPicture> &shown = m_whole ? m_whole : m_reduced;
    return shown ? QSize(shown->width, shown->height) : m_image.size();
}

QString BoardPictureView::label() const
{
    if (m_whole)
        return tr("%1 · whole frame %2 · %3, without loss")
            .arg(m_board)
            .arg(m_whole->number)
            .arg(sizeWords(m_whole->width, m_whole->height));
    if (!m_reduced)
        return tr("%1 · no picture yet").arg(m_board);
    const QString size = sizeWords(m_reducedSize.width(), m_reducedSize.height());
    const QString whole = sizeWords(m_reduced->width, m_reduced->height);
    return tr("%1 · frame %2 · preview %3, JPEG")
        .arg(m_board)
        .arg(m_reduced->number)
        .arg(size == whole ? size : tr("%1 of %2").arg(size, whole));
}

QString BoardPictureView::hint() const
{
    if (m_whole)
        return tr("Esc: back to the previews");
    if (m_isFetching)
        return tr("Fetching the whole frame · Esc cancels");
    return m_reduced ? tr("Click or Enter: this frame whole, to judge pixels") : QString();
}

void BoardPictureView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    if (m_image.isNull()) {
        painter.setPen(theme().muted);
        painter.drawText(rect(), Qt::AlignCenter, label());
        return;
    }
    const QRectF picture = pictureRect(m_transform, size(), frameSize());
    // A whole frame that is enlarged shows its pixels.
    painter.setRenderHint(QPainter::SmoothPixmapTransform, !m_whole || picture.width() < m_image.width());
    painter.drawImage(picture, m_image);
    const QRectF seen = picture.intersected(QRectF(rect()));
    paintPictureLabel(painter, seen.topLeft() + QPointF(kBoardMargin, kBoardMargin), label(),
                      m_whole ? m_back->x() : width());
    if (!m_isFetching)
        paintPictureLabel(painter, seen.bottomLeft() + QPointF(kBoardMargin, -kBoardMargin - pictureLabelHeight()),
                          hint(), width());
}

void BoardPictureView::resizeEvent(QResizeEvent *)
{
    m_back->adjustSize();
    m_back->move(width() - m_back->width() - kBoardMargin, kBoardMargin);
    m_cancel->adjustSize();
    const int all = m_progress->width() + kBoardMargin + m_cancel->width();
    const int bottom = height() - 2 * kBoardMargin;
    m_progress->move((width() - all) / 2, bottom - (m_cancel->height() + m_progress->height()) / 2);
    m_cancel->move((width() + all) / 2 - m_cancel->width(), bottom - m_cancel->height());
}

void BoardPictureView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    window()->installEventFilter(this);
    askIfSeen();
}

/// A window that was minimised is seen again.
bool BoardPictureView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == window() && event->type() == QEvent::WindowStateChange)
        askIfSeen();
    return QWidget::eventFilter(watched, event);
}

void BoardPictureView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    m_isPressed = true;
    m_isDragged = false;
    m_pressedAt = event->position();
}

void BoardPictureView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF moved = event->position() - m_pressedAt;
    if (!m_isPressed || (!m_isDragged && moved.manhattanLength() < QApplication::startDragDistance()))
        return;
    m_isDragged = true;
    m_pressedAt = event->position();
    setTransform(panned(m_transform, size(), frameSize(), moved));
}

void BoardPictureView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && std::exchange(m_isPressed, false) && !m_isDragged)
        fetchWhole();
}

void BoardPictureView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_whole)
        fit();
}

void BoardPictureView::wheelEvent(QWheelEvent *event)
{
    setTransform(zoomedAt(m_transform, size(), frameSize(), event->position(),
                          std::pow(kZoomStep, event->angleDelta().y() / 120.0)));
}

void BoardPictureView::keyPressEvent(QKeyEvent *event)
{
    const QPointF middle(width() / 2.0, height() / 2.0);
    const auto zoom = [&](double factor) { setTransform(zoomedAt(m_transform, size(), frameSize(), middle, factor)); };
    const auto pan = [&](int x, int y) { setTransform(panned(m_transform, size(), frameSize(), QPointF(x, y))); };
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return fetchWhole();
    case Qt::Key_Escape:
        m_isFetching ? cancelFetch() : showPreviews();
        return;
    case Qt::Key_Plus:
        return zoom(kZoomStep);
    case Qt::Key_Minus:
        return zoom(1 / kZoomStep);
    case Qt::Key_0:
        return fit();
    case Qt::Key_1:
        return zoomToPixels();
    case Qt::Key_Left:
        return pan(kPanStep, 0);
    case Qt::Key_Right:
        return pan(-kPanStep, 0);
    case Qt::Key_Up:
        return pan(0, kPanStep);
    case Qt::Key_Down:
        return pan(0, -kPanStep);
    default:
        QWidget::keyPressEvent(event);
    }
}

void BoardPictureView::setTransform(const ViewTransform &transform)
{
    m_transform = transform;
    update();
}

void BoardPictureView::fit()
{
    setTransform({});
}

void BoardPictureView::zoomToPixels()
{
    const QPointF middle(width() / 2.0, height() / 2.0);
    setTransform(zoomedAt(m_transform, size(), frameSize(), middle, 1 / scaleIn(m_transform, size(), frameSize())));
}

} // namespace jetscope
