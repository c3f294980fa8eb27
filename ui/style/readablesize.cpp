// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/readablesize.h"

#include <QEvent>
#include <QLayout>
#include <QWidget>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kLeastCharacters = 60;

} // namespace

ReadableSize::ReadableSize(QWidget &window) : QObject(&window), m_window(window)
{
    window.installEventFilter(this);
}

bool ReadableSize::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Show:
    case QEvent::Resize:
    case QEvent::FontChange:
    case QEvent::LayoutRequest:
        update();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void ReadableSize::update()
{
    const QLayout &layout = *m_window.layout();
    const int width =
        std::max(layout.totalMinimumSize().width(), kLeastCharacters * m_window.fontMetrics().averageCharWidth());
    const int height = layout.totalMinimumHeightForWidth(std::max(width, m_window.width()));
    m_window.setMinimumSize(width, std::max(height, layout.totalMinimumSize().height()));
}

} // namespace jetscope
