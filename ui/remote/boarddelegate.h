// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

namespace jetscope {

/// Paints a list of boards: the name and below it, muted, what is known of the board; titles of groups between them.
class BoardDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// The text of an item is the name.
    static constexpr int kDetailRole = Qt::UserRole;
    static constexpr int kIsTitleRole = Qt::UserRole + 1;

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace jetscope
