// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/video/glwidgetsurface.h"

#include <QOpenGLContext>

namespace jetscope {

GlWidgetSurface::GlWidgetSurface(const VideoScene &scene, GlShare share, QWidget *parent)
    : QOpenGLWidget(parent), GlSurface(scene, std::move(share))
{
    setMouseTracking(true);
    connect(this, &QOpenGLWidget::frameSwapped, this, [this] { swapped(); });
}

GlWidgetSurface::~GlWidgetSurface()
{
    detach();
    releaseGl();
    // The base class ends the context after the other base is gone.
    disconnect(this, &QOpenGLWidget::frameSwapped, nullptr, nullptr);
    if (context())
        context()->disconnect(this);
}

void GlWidgetSurface::initializeGL()
{
    // Moving the widget to another window makes a new context.
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] { releaseGl(); });
    initialise();
}

void GlWidgetSurface::paintGL()
{
    paint(this, size(), devicePixelRatioF());
}

bool GlWidgetSurface::begin()
{
    if (!isValid())
        return false;
    makeCurrent();
    return true;
}

void GlWidgetSurface::end()
{
    doneCurrent();
}

} // namespace jetscope
