// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/live/glpictureview.h"

#include <QOpenGLWidget>

namespace jetscope {

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

} // namespace jetscope
