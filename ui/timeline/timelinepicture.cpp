// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinepicture.h"

#include "ui/style/theme.h"

#include <QPainter>
#include <QPixmap>
#include <QWidget>

namespace jetscope {

QImage pictureOf(QWidget &view, const QString &title)
{
    const QPixmap shown = view.grab();
    const double ratio = shown.devicePixelRatio();
    const int line = view.fontMetrics().lineSpacing() + 8;
    const int width = view.width();
    QImage picture(qRound(width * ratio), qRound((view.height() + line) * ratio), QImage::Format_RGB32);
    picture.setDevicePixelRatio(ratio);
    picture.fill(theme().panel);
    QPainter painter(&picture);
    painter.setFont(view.font());
    painter.setPen(theme().text);
    const QRect room(10, 0, width - 20, line);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     view.fontMetrics().elidedText(title, Qt::ElideMiddle, room.width()));
    painter.drawPixmap(0, line, shown);
    return picture;
}

} // namespace jetscope
