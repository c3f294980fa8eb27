// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/glpictureview.h"

#include "gpu/pipeline/pipeline.h"
#include "ui/live/videooverlay.h"
#include "ui/live/videoscene.h"
#include "ui/style/theme.h"

#include <QOpenGLContext>
#include <QPainter>
#include <QWidget>

namespace jetscope {

namespace {

constexpr int kRetryMs = 2;

QRectF scaled(const QRectF &rect, double ratio)
{
    return {rect.topLeft() * ratio, rect.size() * ratio};
}

} // namespace

GlPictureView::GlPictureView(const VideoScene &scene, GlShare share)
    : PictureView(scene),
      m_share(std::move(share)),
      m_copyName(internName("take frame", Category::Draw)),
      m_presentName(internName("present", Category::Present))
{
    m_retry.setSingleShot(true);
    m_retry.setInterval(kRetryMs);
    QObject::connect(&m_retry, &QTimer::timeout, [this] { announce(); });
}

GlPictureView::~GlPictureView()
{
    detach();
}

void GlPictureView::announce()
{
    if (listener().available)
        listener().available();
}

Status GlPictureView::attach(FramePort &port)
{
    if (m_failure)
        return *m_failure;
    m_port = &port;
    m_recorder = std::make_unique<ThreadRecorder>(port.tracer(), LaneRole::View, "Display", "thread · present");
    port.mailbox().setListener([this] {
        QMetaObject::invokeMethod(
            inputTarget(), [this] { announce(); }, Qt::QueuedConnection);
    });
    return {};
}

void GlPictureView::detach()
{
    m_retry.stop();
    if (m_port)
        m_port->mailbox().setListener({});
    m_recorder.reset();
    m_picture.discardCopy(); // The next pipeline starts its frame numbers again.
    m_port = nullptr;
    m_fetched.reset();
    m_undrawn.reset();
    m_unswapped.reset();
}

void GlPictureView::initialise()
{
    if (const Status status = m_picture.initialise(); !status.ok())
        m_failure = status.error();
}

void GlPictureView::releaseGl()
{
    if (!m_picture.isInitialised() || !begin())
        return;
    m_picture.release();
    end();
}

std::optional<PictureView::Fetched> GlPictureView::fetch()
{
    if (!m_port || !m_picture.isInitialised() || !begin())
        return std::nullopt;
    SpanScope span(m_copyName);
    const bool onlyReady = m_share.display->isSoftwareRasteriser();
    auto frame = m_picture.take(m_port->mailbox(), m_share.display, onlyReady);
    end();
    if (!frame) {
        span.discard();
        if (onlyReady && !m_retry.isActive())
            m_retry.start();
        return std::nullopt;
    }
    span.setFrame(frame->frame);
    m_fetched = std::move(frame);
    return Fetched{m_fetched->frame, m_fetched->number, {m_fetched->width, m_fetched->height}};
}

void GlPictureView::show()
{
    if (!m_fetched)
        return;
    m_picture.swap();
    noteSuperseded(m_undrawn);
    m_undrawn = std::exchange(m_fetched, std::nullopt);
    m_shownFrame = m_undrawn->frame;
    repaint();
}

void GlPictureView::noteSuperseded(const std::optional<ViewFrame> &frame)
{
    if (frame && m_port && isSeen())
        m_port->mailbox().superseded(frame->frame);
}

std::optional<FramePicture> GlPictureView::copy(int width)
{
    if (!m_picture.isInitialised() || !begin())
        return std::nullopt;
    auto copy = m_picture.copy(m_shownFrame, width, m_share.display);
    end();
    return copy;
}

std::optional<QColor> GlPictureView::pixel(QPoint at)
{
    if (!m_picture.isInitialised() || !begin())
        return std::nullopt;
    const auto color = m_picture.pixel(at, m_share.display);
    end();
    return color;
}

void GlPictureView::setTestColor(std::optional<QColor> color)
{
    m_testColor = color;
    repaint();
}

void GlPictureView::paint(QPaintDevice *device, QSize size, double pixelRatio)
{
    m_paintStartNs = nowNs();
    const QSize pixels = (QSizeF(size) * pixelRatio).toSize();
    m_picture.clear(m_testColor.value_or(theme().window), pixels);
    if (m_testColor)
        return;
    const QRectF target = pictureRect(scene().transform, size, scene().picture);
    m_picture.draw(scaled(target, pixelRatio), scaled(outputRegion(scene(), size), pixelRatio), pixels);
    QPainter painter(device);
    paintPictures(painter, scene(), size);
    paintMarks(painter, scene(), size);
    if (!m_undrawn)
        return;
    noteSuperseded(m_unswapped);
    m_unswapped = std::exchange(m_undrawn, std::nullopt);
}

void GlPictureView::swapped()
{
    const auto frame = std::exchange(m_unswapped, std::nullopt);
    if (!frame || !m_port)
        return;
    const std::int64_t now = nowNs();
    m_port->mailbox().presented(*frame, now);
    Span span;
    span.startNs = m_paintStartNs;
    span.durationNs = now - m_paintStartNs;
    span.frame = frame->frame;
    span.name = m_presentName;
    span.lane = m_recorder->lane();
    m_recorder->record(span);
    if (listener().drawn)
        listener().drawn(frame->frame);
}

GlWidgetView::GlWidgetView(const VideoScene &scene, GlShare share, QWidget *parent)
    : QOpenGLWidget(parent), GlPictureView(scene, std::move(share))
{
    setMouseTracking(true);
    connect(this, &QOpenGLWidget::frameSwapped, this, [this] { swapped(); });
}

GlWidgetView::~GlWidgetView()
{
    detach();
    releaseGl();
    // QOpenGLWidget destroys the context after GlPictureView is destroyed.
    disconnect(this, &QOpenGLWidget::frameSwapped, nullptr, nullptr);
    if (context())
        context()->disconnect(this);
}

void GlWidgetView::initializeGL()
{
    // The context is replaced when the widget moves to another window.
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] { releaseGl(); });
    initialise();
}

void GlWidgetView::paintGL()
{
    paint(this, size(), devicePixelRatioF());
}

bool GlWidgetView::begin()
{
    if (!isValid())
        return false;
    makeCurrent();
    return true;
}

void GlWidgetView::end()
{
    doneCurrent();
}

GlWindowView::GlWindowView(const VideoScene &scene, GlShare share, QWidget *parent)
    : GlPictureView(scene, std::move(share)),
      m_window(new Window(*this)),
      m_container(QWidget::createWindowContainer(m_window, parent))
{
    // The view that contains the container handles the keys.
    m_container->setFocusPolicy(Qt::NoFocus);
    QObject::connect(m_window, &QOpenGLWindow::frameSwapped, m_window, [this] { swapped(); });
}

GlWindowView::~GlWindowView()
{
    detach();
    releaseGl();
}

void GlWindowView::Window::initializeGL()
{
    m_surface.initialise();
}

void GlWindowView::Window::paintGL()
{
    m_surface.paint(this, size(), devicePixelRatio());
}

bool GlWindowView::begin()
{
    if (!m_window->isValid())
        return false;
    m_window->makeCurrent();
    return true;
}

void GlWindowView::end()
{
    m_window->doneCurrent();
}

} // namespace jetscope
