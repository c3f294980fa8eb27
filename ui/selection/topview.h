// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/selection/topmodel.h"

#include <QWidget>

class QButtonGroup;
class QLabel;
class QTableView;

namespace jetscope {

/// What took most of the time, by name. A click or Enter steps to the next span of a name, Left and Right to the one
/// before and after.
class TopView : public QWidget {
    Q_OBJECT
public:
    explicit TopView(QWidget *parent = nullptr);
    void show(std::shared_ptr<const Trace> trace, std::shared_ptr<const TopTable> table);
    void clear();
    const TopModel &model() const { return *m_model; }
    QTableView *table() const { return m_table; }
    void setKind(std::optional<WorkKind> kind);
    /// "412 ms of own time on 4 lanes = 100 %"
    QString base() const;
    QString text() const;
    /// No row is the current one.
    void unselect();

signals:
    /// The span of a row of the table (TopTable::rows) before (-1) or after (1) the one shown last.
    void stepWanted(std::uint32_t row, int direction);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void showBase();
    void fitColumns();
    void step(int direction);

    TopModel *m_model;
    QButtonGroup *m_kinds;
    QLabel *m_base;
    QTableView *m_table;
};

} // namespace jetscope
