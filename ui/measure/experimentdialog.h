// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/childcommand.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTextBrowser;

namespace jetscope {

/// The ready-made experiments: what each asks, its progress, and its figures with the conclusion in words. Knows no
/// process: the owner passes on what the experiment says.
class ExperimentDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExperimentDialog(QWidget *parent = nullptr);

    /// Whether an experiment can begin now; if not, the reason.
    void setPossible(bool possible, const QString &reason);
    void begin();
    void take(const QJsonObject &line);
    void end(const ChildEnding &ending);

    QString status() const;
    QTextBrowser *result() const { return m_result; }
    QComboBox *names() const { return m_names; }
    QPushButton *startButton() const { return m_start; }

signals:
    void started(const QString &experiment);
    void cancelled();

private:
    QLayout *makeHead();
    void describe();
    void showButtons();

    QComboBox *m_names;
    QPushButton *m_start;
    QProgressBar *m_progress;
    QLabel *m_about;
    QTextBrowser *m_result;
    QLabel *m_status;
    bool m_running = false;
    bool m_possible = true;
    bool m_hasResult = false;
    QString m_reason;
};

} // namespace jetscope
