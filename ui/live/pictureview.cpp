// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/pictureview.h"

#include <QWidget>
#include <QWindow>

namespace jetscope {

bool PictureView::isSeen()
{
    const QWidget *shown = widget();
    const QWindow *window = shown->window()->windowHandle();
    return shown->isVisible() && window && window->isExposed();
}

} // namespace jetscope
