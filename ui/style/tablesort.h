// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace jetscope {

/// Sorts the tables of the whole program by keys, since Qt sorts by a click on a title only: Ctrl+Left and Ctrl+Right
/// choose the column, Ctrl+Up and Ctrl+Down the direction. Tables that cannot be sorted keep these keys.
class TableSort : public QObject {
    Q_OBJECT
public:
    explicit TableSort(QObject *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace jetscope
