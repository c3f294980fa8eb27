// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/lab/clockwatcher.h"

#include <QImage>
#include <QWidget>

namespace jetscope {

/// What the camera sees: a picture of now and then, with the corners of the clock if it was found. UI thread.
class SeenClock : public QWidget {
    Q_OBJECT
public:
    explicit SeenClock(QWidget *parent = nullptr);

    void show(const ClockSeen &seen);
    void clear();
    const QImage &image() const { return m_image; }
    QSize sizeHint() const override { return {368, 208}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QImage m_image;
    QPolygonF m_corners; ///< In pixels of the image.
};

} // namespace jetscope
