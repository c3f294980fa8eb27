// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTableView>

namespace jetscope {

class NameFiguresTable;

/// The table of names on the screen. The names get the room that the figures leave; where that is too little to read
/// them, the last figures are reached by scrolling, and no column is cut in two.
class NameFiguresView : public QTableView {
    Q_OBJECT
public:
    explicit NameFiguresView(NameFiguresTable *table, QWidget *parent = nullptr);
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitNames();

    bool m_scrolls = false; ///< Not all columns are in view; then some rows are, below which the scroll bar lies.
};

} // namespace jetscope
