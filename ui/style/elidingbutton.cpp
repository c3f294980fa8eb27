// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/elidingbutton.h"

#include <QStyleOptionToolButton>
#include <QStylePainter>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kWidestText = 320;
constexpr int kMinText = 96; ///< Keeps the beginning of the text readable.

} // namespace

void ElidingButton::setFullText(const QString &text)
{
    setText(QString(text).replace(u'&', QStringLiteral("&&")));
    updateGeometry();
}

QSize ElidingButton::sizeHint() const
{
    const QSize whole = QToolButton::sizeHint();
    const int text = fontMetrics().horizontalAdvance(shownText());
    return {whole.width() - std::max(0, text - kWidestText), whole.height()};
}

QSize ElidingButton::minimumSizeHint() const
{
    const QSize whole = QToolButton::sizeHint();
    const int text = fontMetrics().horizontalAdvance(shownText());
    return {whole.width() - std::max(0, text - kMinText), whole.height()};
}

void ElidingButton::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    const int missing = QToolButton::sizeHint().width() - width();
    if (missing > 0) {
        const int room = fontMetrics().horizontalAdvance(shownText()) - missing;
        option.text = fontMetrics().elidedText(shownText(), Qt::ElideRight, room).replace(u'&', QStringLiteral("&&"));
    }
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
}

} // namespace jetscope
