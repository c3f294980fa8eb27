// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/droptarget.h"

#include "ui/style/theme.h"

#include <QPainter>

namespace jetscope {

namespace {

constexpr int kDropMargin = 24;

} // namespace

DropTarget::DropTarget(QWidget *window) : QWidget(window)
{
    setObjectName(QStringLiteral("dropTarget"));
    setAttribute(Qt::WA_TransparentForMouseEvents); // The window takes the drop.
    hide();
}

void DropTarget::showFor(const QString &text)
{
    m_text = text;
    setAccessibleName(text);
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
}

void DropTarget::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QColor ground = theme().window;
    ground.setAlphaF(0.85F);
    painter.fillRect(rect(), ground);
    painter.setPen(QPen(theme().accentText, 2, Qt::DashLine));
    painter.drawRect(rect().adjusted(kDropMargin, kDropMargin, -kDropMargin, -kDropMargin));
    QFont large = paintedFont(font(), 20);
    painter.setFont(large);
    painter.setPen(theme().text);
    painter.drawText(rect().adjusted(2 * kDropMargin, 2 * kDropMargin, -2 * kDropMargin, -2 * kDropMargin),
                     Qt::AlignCenter | Qt::TextWordWrap, m_text);
}

} // namespace jetscope
