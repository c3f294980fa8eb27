// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/tracer.h"
#include "ui/live/glpicture.h"
#include "ui/live/pictureview.h"
#include "ui/session/glshare.h"

#include <QOpenGLWidget>
#include <QOpenGLWindow>
#include <QTimer>

class QPaintDevice;

namespace jetscope {

/// Common part of GL widget and GL window: fetches frames in the view's context, paints, and reports the swap.
class GlPictureView : public PictureView {
public:
    GlPictureView(const VideoScene &scene, GlShare share);
    ~GlPictureView() override;

    Status attach(FramePort &port) override;
    void detach() override;
    std::optional<Fetched> fetch() override;
    void show() override;
    std::optional<QColor> pixel(QPoint at) override;
    std::optional<FramePicture> copy(int width) override;
    void setTestColor(std::optional<QColor> color) override;

protected:
    /// False if the context could not be made current.
    virtual bool begin() = 0;
    virtual void end() = 0;

    void initialise();
    void releaseGl();
    /// Paints everything; the context must be current. `size` is in device-independent pixels.
    void paint(QPaintDevice *device, QSize size, double pixelRatio);
    void swapped();

private:
    void announce();
    void noteSuperseded(const std::optional<ViewFrame> &frame);

    GlShare m_share;
    GlPicture m_picture;
    FramePort *m_port = nullptr;
    std::unique_ptr<ThreadRecorder> m_recorder;
    std::optional<Error> m_failure; ///< Failure of the GL initialisation.
    QTimer m_retry;                 ///< Retries a frame that was published before its fence signalled.
    std::optional<ViewFrame> m_fetched;
    std::optional<ViewFrame> m_undrawn;
    std::optional<ViewFrame> m_unswapped;
    std::uint32_t m_shownFrame = 0;
    std::int64_t m_paintStartNs = 0;
    NameId m_copyName;
    NameId m_presentName;
    std::optional<QColor> m_testColor;
};

/// Zero-copy view in a QOpenGLWidget, composed with the rest of the window by Qt.
class GlWidgetView : public QOpenGLWidget, public GlPictureView {
    Q_OBJECT
public:
    GlWidgetView(const VideoScene &scene, GlShare share, QWidget *parent = nullptr);
    ~GlWidgetView() override;

    QWidget *widget() override { return this; }
    QObject *inputTarget() override { return this; }
    void repaint() override { QOpenGLWidget::update(); }
    void show() override { GlPictureView::show(); }

protected:
    void initializeGL() override;
    void paintGL() override;
    bool begin() override;
    void end() override;
};

/// Zero-copy view in a native window inside a window container, for drivers that cannot compose GL into widgets.
class GlWindowView : public GlPictureView {
public:
    GlWindowView(const VideoScene &scene, GlShare share, QWidget *parent);
    ~GlWindowView() override;

    QWidget *widget() override { return m_container.get(); }
    QObject *inputTarget() override { return m_window; }
    void repaint() override { m_window->update(); }
    QImage grabContent() override { return m_window->grabFramebuffer(); }

protected:
    bool begin() override;
    void end() override;

private:
    class Window : public QOpenGLWindow {
    public:
        explicit Window(GlWindowView &surface) : QOpenGLWindow(QOpenGLWindow::NoPartialUpdate), m_surface(surface) {}

    protected:
        void initializeGL() override;
        void paintGL() override;

    private:
        GlWindowView &m_surface;
    };

    Window *m_window; ///< Owned by the container, which must not outlive this object.
    std::unique_ptr<QWidget> m_container;
};

} // namespace jetscope
