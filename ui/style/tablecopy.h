// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>

class QAbstractItemView;

namespace jetscope {

/// What a table, list or tree shows, as tab-separated lines below its titles: the selected rows if there are several,
/// else all. Of a tree, what is unfolded.
QString shownTableText(const QAbstractItemView &view);

/// Ctrl+C copies a table, in the whole program: Qt would copy one cell. Tables with a command of their own keep it.
class TableCopy : public QObject {
    Q_OBJECT
public:
    explicit TableCopy(QObject *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace jetscope
