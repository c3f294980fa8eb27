// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/fittingscroll.h"

#include <QDialog>
#include <QEvent>
#include <QScreen>
#include <QScrollBar>

namespace jetscope {

namespace {

constexpr int kLeastLines = 6;      ///< Of text, in a very low window.
constexpr int kTitleBarHeight = 40; ///< About; what a window manager adds is not known before the window is shown.

} // namespace

FittingScroll::FittingScroll(QWidget *content, QWidget *parent) : QScrollArea(parent)
{
    setFocusPolicy(Qt::NoFocus); // It scrolls to what has the focus.
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(content);
    content->installEventFilter(this);
}

QSize FittingScroll::sizeHint() const
{
    return {minimumSizeHint().width(), widget()->sizeHint().height()};
}

QSize FittingScroll::minimumSizeHint() const
{
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(),
            kLeastLines * fontMetrics().lineSpacing()};
}

/// A content that wants more room says so to its parent, which is no layout here.
bool FittingScroll::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

QSize sizeOnScreen(const QDialog &dialog)
{
    const QSize room = dialog.screen()->availableSize() - QSize(0, kTitleBarHeight);
    return dialog.sizeHint().boundedTo(room);
}

} // namespace jetscope
