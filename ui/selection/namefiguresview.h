// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTableView>

namespace jetscope {

class NameFiguresTable;

/// Shows the table of names. The column of names gets the width that the figures leave. If that is too little to read
/// names, the last columns are outside the view and can be scrolled to; no column is partly visible at first.
class NameFiguresView : public QTableView {
    Q_OBJECT
public:
    explicit NameFiguresView(NameFiguresTable *table, QWidget *parent = nullptr);
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitNames();

    bool m_scrolls = false; ///< Not all columns fit, so that there is a scroll bar below the rows.
};

} // namespace jetscope
