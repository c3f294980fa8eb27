// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/wheelguard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>

namespace jetscope {

namespace {

bool changesByWheel(const QWidget &widget)
{
    return qobject_cast<const QAbstractSpinBox *>(&widget) || qobject_cast<const QComboBox *>(&widget)
        || (qobject_cast<const QAbstractSlider *>(&widget) && !qobject_cast<const QScrollBar *>(&widget));
}

void takeFocusFromWheel(QWidget &widget)
{
    if (widget.focusPolicy() == Qt::WheelFocus)
        widget.setFocusPolicy(Qt::StrongFocus);
}

} // namespace

WheelGuard::WheelGuard(QObject *parent) : QObject(parent)
{
    qApp->installEventFilter(this);
    for (QWidget *widget : QApplication::allWidgets()) // Widgets that are already polished.
        takeFocusFromWheel(*widget);
}

bool WheelGuard::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::Polish && event->type() != QEvent::Wheel)
        return false;
    auto *widget = qobject_cast<QWidget *>(watched);
    if (!widget)
        return false;
    if (event->type() == QEvent::Polish) { // Sent once, before the widget is shown.
        takeFocusFromWheel(*widget);
        return false;
    }
    if (!changesByWheel(*widget) || widget->hasFocus())
        return false;
    event->ignore(); // Qt then propagates it to the parent widget.
    return true;
}

} // namespace jetscope
