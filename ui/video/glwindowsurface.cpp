// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/video/glwindowsurface.h"

#include <QWidget>

namespace jetscope {

GlWindowSurface::GlWindowSurface(const VideoScene &scene, GlShare share, QWidget *parent)
    : GlSurface(scene, std::move(share)),
      m_window(new Window(*this)),
      m_container(QWidget::createWindowContainer(m_window, parent))
{
    // Keys belong to the view that the container is part of.
    m_container->setFocusPolicy(Qt::NoFocus);
    QObject::connect(m_window, &QOpenGLWindow::frameSwapped, m_window, [this] { swapped(); });
}

GlWindowSurface::~GlWindowSurface()
{
    detach();
    releaseGl();
}

void GlWindowSurface::Window::initializeGL()
{
    m_surface.initialise();
}

void GlWindowSurface::Window::paintGL()
{
    m_surface.paint(this, size(), devicePixelRatio());
}

bool GlWindowSurface::begin()
{
    if (!m_window->isValid())
        return false;
    m_window->makeCurrent();
    return true;
}

void GlWindowSurface::end()
{
    m_window->doneCurrent();
}

} // namespace jetscope
