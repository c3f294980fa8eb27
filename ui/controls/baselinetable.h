// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/controls/baseline.h"

#include <QWidget>

#include <optional>

class QGridLayout;
class QLabel;
class QPushButton;

namespace jetscope {

/// The table "now, against the pinned baseline A" with its pin button.
class BaselineTable : public QWidget {
    Q_OBJECT
public:
    explicit BaselineTable(QWidget *parent = nullptr);

    /// The live figures and the configuration they belong to.
    void setNow(const Baseline &now);
    const std::optional<Baseline> &baseline() const { return m_baseline; }

public slots:
    /// Makes the present figures the baseline.
    void pin();

private:
    static constexpr int kColumns = 4;
    static constexpr int kRows = 5; ///< The titles and four figures.
    QLabel *cell(int row, int column) const;
    void show(const std::vector<ComparisonRow> &rows);
    void refresh();

    QPushButton *m_pin;
    QLabel *m_hint;
    QWidget *m_table;
    QGridLayout *m_grid;
    std::optional<Baseline> m_baseline;
    Baseline m_now;
};

} // namespace jetscope
