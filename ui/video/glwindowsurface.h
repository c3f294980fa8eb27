// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/video/glsurface.h"

#include <QOpenGLWindow>
#include <QPointer>
#include <QWidget>

namespace jetscope {

/// Zero-copy view in a native window of its own, embedded by a container: for drivers that cannot compose GL into widgets.
class GlWindowSurface : public QOpenGLWindow, public GlSurface {
    Q_OBJECT
public:
    GlWindowSurface(const VideoScene &scene, GlShare share, QWidget *parent);
    ~GlWindowSurface() override;

    QWidget *widget() override { return m_container; }
    QObject *inputTarget() override { return this; }
    void repaint() override { QOpenGLWindow::update(); }
    void show() override { GlSurface::show(); }
    QImage grabContent() override { return grabFramebuffer(); }

protected:
    void initializeGL() override;
    void paintGL() override;
    bool begin() override;
    void end() override;

private:
    QPointer<QWidget> m_container; ///< Owns this window.
};

} // namespace jetscope
