// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/board/boardwatch.h"

#include <QTreeWidget>

#include <memory>
#include <vector>

namespace jetscope {

/// The machine that the window runs on: what it is, and its present values with short histories; what is unknown says
/// why. UI thread.
class BoardPage : public QTreeWidget {
    Q_OBJECT
public:
    enum Column { Name, Value, History, Columns };
    static constexpr int kHistoryValues = 120; ///< A minute.

    explicit BoardPage(QWidget *parent = nullptr);
    void show(const std::shared_ptr<const BoardFacts> &facts, const BoardState &state);
    /// Whose values come next; empty: of the machine that the window runs on.
    void setMachine(const QString &name);

private:
    QTreeWidgetItem *section(const QString &title);
    void build(const BoardFacts &facts);
    void identityRow(QTreeWidgetItem *parent, const QString &name, const Reading<std::string> &value);
    void showValue(std::size_t index, const BoardItem &item, const Reading<double> &reading);

    std::shared_ptr<const BoardFacts> m_facts;
    QTreeWidgetItem *m_limits = nullptr;
    std::vector<QTreeWidgetItem *> m_rows; ///< By item of the layout.
};

} // namespace jetscope
