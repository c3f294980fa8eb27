// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/childcommand.h"

#include <QDialog>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace jetscope {

/// A dialog about a command that measures: a button that starts and stops it, its progress, and what is to be said of
/// it. Knows no process: the owner passes on what the command says.
class MeasuringDialog : public QDialog {
    Q_OBJECT
public:
    /// Whether the command can begin now; if not, the reason.
    void setPossible(bool possible, const QString &reason);
    /// A line of the command.
    virtual void take(const QJsonObject &line) = 0;
    void end(const ChildEnding &ending);

    QString status() const;
    QPushButton *startButton() const { return m_start; }

signals:
    void cancelled();

protected:
    struct Words {
        QString measures; ///< Of the bar.
        QString starts;   ///< Of the button.
        QString stops;    ///< The same while the command runs.
        QString failed;   ///< "%1" stands for the reason.
        QString nothing;  ///< It was ended before it had a result.
    };
    MeasuringDialog(Words words, QWidget *parent);

    /// The user wants it to begin.
    virtual void wantStart() = 0;
    virtual void showButtons();
    void begun();
    void showProgress(const QJsonObject &line, const QString &status);
    void showResult(const QString &status);
    bool isRunning() const { return m_running; }
    QProgressBar *bar() const { return m_bar; }
    /// The last row: what is to be said, and buttons.
    QHBoxLayout *makeEnds(QPushButton *further = nullptr);

private:
    const Words m_words;
    QPushButton *m_start;
    QProgressBar *m_bar;
    QLabel *m_status;
    bool m_running = false;
    bool m_possible = true;
    bool m_hasResult = false;
    QString m_reason;
};

} // namespace jetscope
