// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/screenshots/streetpicture.h"

#include <QPainter>

namespace jetscope {

namespace {

constexpr QSize kStreet{1280, 720};

} // namespace

QImage street(bool outlines)
{
    QImage image(kStreet, QImage::Format_RGBA8888);
    image.fill(outlines ? QColor(Qt::black) : QColor(0x8f, 0xa6, 0xbf));
    QPainter painter(&image);
    const auto box = [&](QRect rect, const QColor &color) {
        painter.fillRect(rect, outlines ? QColor(Qt::white) : color);
        if (outlines)
            painter.fillRect(rect.adjusted(3, 3, -3, -3), Qt::black);
    };
    box(QRect(0, 460, 1280, 260), QColor(0x55, 0x58, 0x5c));
    for (int i = 0; i < 10; ++i)
        box(QRect(20 + i * 126, 200 + i * 37 % 140, 96, 260 - i * 37 % 140), QColor(0x70 + i * 6, 0x6c, 0x62));
    box(QRect(240, 500, 220, 90), QColor(0x90, 0x36, 0x30));
    for (int i = 0; i < 5; ++i)
        box(QRect(60 + i * 260, 640, 110, 14), QColor(0xe0, 0xdc, 0xcc));
    return image;
}

} // namespace jetscope
