// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/live/glpictureview.h"

#include <QOpenGLWindow>

class QWidget;

namespace jetscope {

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
