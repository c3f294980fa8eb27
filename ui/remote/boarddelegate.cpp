// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/boarddelegate.h"

#include "ui/style/theme.h"

#include <QPainter>

namespace jetscope {

namespace {

constexpr int kMargin = 8;
constexpr int kTitleSpace = 8; ///< Above the title of a group.
constexpr int kTitlePercent = 85;

QFont titleFont(QFont font)
{
    font.setPixelSize(QFontInfo(font).pixelSize() * kTitlePercent / 100);
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

void BoardDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const QString detail = index.data(kDetailRole).toString();
    painter->save();
    if (isSelected)
        painter->fillRect(option.rect, theme().selected);
    const QRect room = option.rect.adjusted(kMargin, kMargin / 2, -kMargin, -kMargin / 2);
    const auto draw = [&](const QFont &font, const QColor &color, Qt::Alignment alignment, const QString &text) {
        painter->setFont(font);
        painter->setPen(color);
        painter->drawText(room, static_cast<int>(alignment | Qt::TextSingleLine),
                          QFontMetrics(font).elidedText(text, Qt::ElideRight, room.width()));
    };
    if (index.data(kIsTitleRole).toBool()) {
        draw(titleFont(option.font), theme().muted, Qt::AlignBottom, index.data().toString());
    } else {
        QFont name = option.font;
        name.setWeight(QFont::DemiBold);
        draw(name, isSelected ? theme().selectedText : theme().text, Qt::AlignTop, index.data().toString());
        draw(option.font, isSelected ? theme().selectedText : theme().muted, Qt::AlignBottom, detail);
    }
    painter->restore();
}

QSize BoardDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int line = option.fontMetrics.lineSpacing();
    if (index.data(kIsTitleRole).toBool())
        return {0, QFontMetrics(titleFont(option.font)).lineSpacing() + kMargin + kTitleSpace};
    return {0, (index.data(kDetailRole).toString().isEmpty() ? line : 2 * line) + kMargin};
}

} // namespace jetscope
