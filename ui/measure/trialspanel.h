// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/choicetable.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace jetscope {

class ChoiceTrials;

/// Buttons that try every value of a choice, and the table of what came of it. UI thread; the trials must outlive it.
class TrialsPanel : public QWidget {
    Q_OBJECT
public:
    explicit TrialsPanel(ChoiceTrials &trials, QWidget *parent = nullptr);

    void start(std::string_view key);
    /// Enables what is possible now.
    void refresh();

protected:
    void changeEvent(QEvent *event) override;

private:
    QPushButton *addStart(std::string_view key, const char *name, const QString &text, const QString &help);
    void showTable();
    void showResult();

    ChoiceTrials &m_trials;
    QWidget *m_buttons;
    QList<QPushButton *> m_starts;
    QTreeWidget *m_table;
    QLabel *m_result;
    QPushButton *m_use;
};

} // namespace jetscope
