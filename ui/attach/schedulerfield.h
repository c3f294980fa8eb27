// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace jetscope {

/// Asks for the file or named pipe that jetscope-sched writes, and shows the command that the user has to run for it:
/// Jetscope starts nothing as root. UI thread.
class SchedulerField : public QWidget {
    Q_OBJECT
public:
    /// `key`: the name of the line for tests, and of its setting. `board`: where the file is; empty: on this machine.
    SchedulerField(const char *key, const QString &path, const QString &board, QWidget *parent);

    /// Empty: the scheduler is not asked for.
    QString path() const;
    /// What the user runs in a terminal; empty without a path, if jetscope-sched is missing, or on a board.
    QString command() const { return m_text; }

private:
    void showCommand();

    const QString m_board;
    QLineEdit *m_path;
    QLabel *m_command;
    QPushButton *m_copy;
    QString m_text;
};

} // namespace jetscope
