// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/video/readbacksurface.h"

#include "gpu/pipeline/pipeline.h"
#include "ui/style/theme.h"
#include "ui/video/videooverlay.h"
#include "ui/video/videoscene.h"

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

ReadbackSurface::ReadbackSurface(const VideoScene &scene, ReadbackOpener open, QWidget *parent)
    : QWidget(parent), PictureSurface(scene), m_open(std::move(open))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
}

ReadbackSurface::~ReadbackSurface()
{
    detach();
}

Status ReadbackSurface::attach(Pipeline &pipeline)
{
    auto reader = m_open(pipeline, [this](ReadbackView::Picture picture) { deliver(std::move(picture)); });
    if (!reader.ok())
        return reader.error();
    m_reader = std::move(reader).value();
    m_pipeline = &pipeline;
    return {};
}

void ReadbackSurface::detach()
{
    m_reader.reset();
    m_pipeline = nullptr;
    m_undrawnFrame.reset();
    const std::lock_guard lock(m_mutex);
    m_newest.reset();
    m_overtaken.clear();
}

void ReadbackSurface::deliver(ReadbackView::Picture picture)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_newest)
            m_overtaken.push_back(m_newest->frame);
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

std::optional<PictureSurface::Fetched> ReadbackSurface::fetch()
{
    std::optional<ReadbackView::Picture> newest;
    std::vector<std::uint32_t> overtaken;
    {
        const std::lock_guard lock(m_mutex);
        m_announced = false;
        newest = std::exchange(m_newest, std::nullopt);
        overtaken = std::exchange(m_overtaken, {});
    }
    for (const std::uint32_t frame : overtaken)
        noteOvertaken(frame);
    if (!newest)
        return std::nullopt;
    m_fetchedFrame = newest->frame;
    const std::uint64_t number = newest->number;
    m_fetched = imageOf(std::move(*newest));
    return Fetched{m_fetchedFrame, number, m_fetched.size()};
}

void ReadbackSurface::show()
{
    if (m_undrawnFrame)
        noteOvertaken(*m_undrawnFrame);
    m_shown = std::exchange(m_fetched, QImage());
    m_shownFrame = m_fetchedFrame;
    m_undrawnFrame = m_fetchedFrame;
    repaint();
}

void ReadbackSurface::noteOvertaken(std::uint32_t frame)
{
    if (m_pipeline && isSeen())
        m_pipeline->mailbox().overtaken(frame);
}

std::optional<FramePicture> ReadbackSurface::copy(int)
{
    return m_shown.isNull() ? std::nullopt : std::optional(FramePicture{m_shownFrame, m_shown});
}

std::optional<QColor> ReadbackSurface::pixel(QPoint at)
{
    if (!m_shown.valid(at))
        return std::nullopt;
    return m_shown.pixelColor(at);
}

void ReadbackSurface::setTestColor(std::optional<QColor> color)
{
    m_testColor = color;
    update();
}

void ReadbackSurface::repaint()
{
    m_canvasStale = true;
    update();
}

void ReadbackSurface::compose()
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

void ReadbackSurface::paintEvent(QPaintEvent *)
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
