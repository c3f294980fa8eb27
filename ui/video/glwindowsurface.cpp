// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/video/glwindowsurface.h"

namespace jetscope {

GlWindowSurface::GlWindowSurface(const VideoScene &scene, GlShare share, QWidget *parent)
    : QOpenGLWindow(QOpenGLWindow::NoPartialUpdate), GlSurface(scene, std::move(share)),
      m_container(QWidget::createWindowContainer(this, parent))
{
    // Keys belong to the view that the container is part of.
    m_container->setFocusPolicy(Qt::NoFocus);
    connect(this, &QOpenGLWindow::frameSwapped, this, [this] { swapped(); });
}

GlWindowSurface::~GlWindowSurface()
{
    detach();
    releaseGl();
}

void GlWindowSurface::initializeGL()
{
    initialise();
}

void GlWindowSurface::paintGL()
{
    paint(this, size(), devicePixelRatio());
}

bool GlWindowSurface::begin()
{
    if (!isValid())
        return false;
    makeCurrent();
    return true;
}

void GlWindowSurface::end()
{
    doneCurrent();
}

} // namespace jetscope
