// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/glwindowview.h"

#include <QWidget>

namespace jetscope {

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
