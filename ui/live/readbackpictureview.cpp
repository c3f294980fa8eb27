// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/readbackpictureview.h"

#include "ui/live/videooverlay.h"
#include "ui/live/videoscene.h"
#include "ui/style/theme.h"

#include <QPainter>

namespace jetscope {

namespace {

/// Wraps the pixels without copying them.
QImage imageOf(ReadbackView::Picture picture)
{
    const auto needed = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) * 4;
    if (picture.width <= 0 || picture.height <= 0 || picture.rgba.size() < needed)
        return {};
    auto *owned = new ReadbackView::Picture(std::move(picture));
    return QImage(
        reinterpret_cast<const uchar *>(owned->rgba.data()), owned->width, owned->height, owned->width * 4,
        QImage::Format_RGBX8888, [](void *data) { delete static_cast<ReadbackView::Picture *>(data); }, owned);
}

} // namespace

ReadbackPictureView::ReadbackPictureView(const VideoScene &scene, ReadbackOpener open, QWidget *parent)
    : QWidget(parent), PictureView(scene), m_open(std::move(open))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
}

ReadbackPictureView::~ReadbackPictureView()
{
    detach();
}

Status ReadbackPictureView::attach(FramePort &port)
{
    JETSCOPE_TRY_ASSIGN(auto reader, m_open(port, [this](Result<ReadbackView::Picture> picture) {
                            if (picture.ok())
                                deliver(std::move(picture).value());
                            else
                                fail(picture.error());
                        }));
    m_reader = std::move(reader);
    m_port = &port;
    return {};
}

void ReadbackPictureView::detach()
{
    m_reader.reset();
    m_failure.clear();
    m_port = nullptr;
    m_undrawnFrame.reset();
    const std::lock_guard lock(m_mutex);
    m_newest.reset();
    m_superseded.clear();
    m_announced = false; // What was announced may come when nothing is attached, and is then not fetched.
}

/// On the read-back thread, as the next.
void ReadbackPictureView::fail(const Error &error)
{
    if (std::exchange(m_failure, error.message()) == error.message())
        return;
    QMetaObject::invokeMethod(
        this,
        [this, error] {
            if (listener().failed)
                listener().failed(error);
        },
        Qt::QueuedConnection);
}

void ReadbackPictureView::deliver(ReadbackView::Picture picture)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_newest)
            m_superseded.push_back(m_newest->frame);
        m_newest = std::move(picture);
        if (std::exchange(m_announced, true))
            return;
    }
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (listener().available)
                listener().available();
        },
        Qt::QueuedConnection);
}

std::optional<PictureView::Fetched> ReadbackPictureView::fetch()
{
    std::optional<ReadbackView::Picture> newest;
    std::vector<std::uint32_t> superseded;
    {
        const std::lock_guard lock(m_mutex);
        m_announced = false;
        newest = std::exchange(m_newest, std::nullopt);
        superseded = std::exchange(m_superseded, {});
    }
    for (const std::uint32_t frame : superseded)
        noteSuperseded(frame);
    if (!newest)
        return std::nullopt;
    m_fetchedFrame = newest->frame;
    const std::uint64_t number = newest->number;
    m_fetched = imageOf(std::move(*newest));
    return Fetched{m_fetchedFrame, number, m_fetched.size()};
}

void ReadbackPictureView::show()
{
    if (m_undrawnFrame)
        noteSuperseded(*m_undrawnFrame);
    m_shown = std::exchange(m_fetched, QImage());
    m_shownFrame = m_fetchedFrame;
    m_undrawnFrame = m_fetchedFrame;
    repaint();
}

void ReadbackPictureView::noteSuperseded(std::uint32_t frame)
{
    if (m_port && isSeen())
        m_port->mailbox().superseded(frame);
}

std::optional<FramePicture> ReadbackPictureView::copy(int)
{
    return m_shown.isNull() ? std::nullopt : std::optional(FramePicture{m_shownFrame, m_shown});
}

std::optional<QColor> ReadbackPictureView::pixel(QPoint at)
{
    if (!m_shown.valid(at))
        return std::nullopt;
    return m_shown.pixelColor(at);
}

void ReadbackPictureView::setTestColor(std::optional<QColor> color)
{
    m_testColor = color;
    update();
}

void ReadbackPictureView::repaint()
{
    m_canvasStale = true;
    update();
}

void ReadbackPictureView::compose()
{
    const double ratio = devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_canvas.size() != pixels)
        m_canvas = QImage(pixels, QImage::Format_RGB32);
    m_canvas.setDevicePixelRatio(ratio);
    m_canvas.fill(theme().window);
    m_canvasStale = false;
    const QRectF fitted = pictureRect(scene().transform, size(), scene().picture);
    if (m_shown.isNull() || fitted.isEmpty())
        return;
    const QRectF target(fitted.topLeft() * ratio, fitted.size() * ratio);
    const int split = scene().splits() ? qRound(scene().split * pixels.width()) : 0;
    const QRect right(split, 0, pixels.width() - split, pixels.height());
    m_scaler.draw(m_canvas, m_shown, target, right);
    if (scene().splits())
        m_scaler.draw(m_canvas, scene().before, target, QRect(0, 0, split, pixels.height()));
    if (scene().showAnswer && scene().answer && hasEdges(*scene().answer)) {
        const CpuAnswer &answer = *scene().answer;
        m_scaler.drawMask(m_canvas, answer.edges.data(), QSize(answer.width, answer.height), target, right,
                          kAnswerColor);
    }
}

void ReadbackPictureView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_testColor) {
        painter.fillRect(rect(), *m_testColor);
        return;
    }
    if (m_canvasStale || m_canvas.size() != (QSizeF(size()) * devicePixelRatioF()).toSize())
        compose();
    painter.drawImage(0, 0, m_canvas);
    paintMarks(painter, scene(), size());
    if (const auto frame = std::exchange(m_undrawnFrame, std::nullopt); frame && listener().drawn)
        listener().drawn(*frame);
}

} // namespace jetscope
