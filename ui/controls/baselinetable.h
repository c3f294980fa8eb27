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

/// Table that compares the current figures with the pinned baseline A, and the pin button. Its size fits the longest
/// possible texts, so changing figures do not move the layout.
class BaselineTable : public QWidget {
    Q_OBJECT
public:
    explicit BaselineTable(QWidget *parent = nullptr);

    /// Current figures with their configuration.
    void setNow(const Baseline &now);
    const std::optional<Baseline> &baseline() const { return m_baseline; }

public slots:
    /// Makes the current figures the baseline.
    void pin();

protected:
    bool event(QEvent *event) override;

private:
    QLabel *cell(int row, int column) const;
    void fixSizes();
    void setTitle(int column, const QString &title);
    void show(const std::vector<ComparisonRow> &rows);
    void refresh();

    QPushButton *m_pin;
    QLabel *m_note;
    QGridLayout *m_grid;
    std::optional<Baseline> m_baseline;
    Baseline m_now;
};

} // namespace jetscope
