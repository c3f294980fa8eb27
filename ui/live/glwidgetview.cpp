// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/glwidgetview.h"

#include <QOpenGLContext>

namespace jetscope {

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

} // namespace jetscope
