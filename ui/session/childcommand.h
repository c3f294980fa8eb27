// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QTimer>

namespace jetscope {

/// How a child process ended.
struct ChildEnding {
    enum class Kind { Good, Cancelled, Failed };
    Kind kind = Kind::Good;
    QString text; ///< What it said last on standard error, or why it could not start or crashed.
};

/// A sub-command of this program in a process of its own, which prints JSON lines (--json --progress). It is asked to
/// end with this process, however that ends. UI thread.
class ChildCommand : public QObject {
    Q_OBJECT
public:
    /// `program` empty: this executable.
    explicit ChildCommand(const QString &program, QObject *parent = nullptr);
    /// Asks a running child to end, and waits some seconds for it.
    ~ChildCommand() override;

    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    /// No child may be running.
    void start(const QStringList &arguments);
    /// As by Ctrl-C: the child ends and keeps what it has. Killed if it does not end in time.
    void cancel();

signals:
    void said(const QJsonObject &line);
    void ended(const jetscope::ChildEnding &ending);

private:
    void readLines();
    void finish(ChildEnding ending);
    ChildEnding endingOf(int code, QProcess::ExitStatus status) const;
    QString lastSentence() const;

    const QString m_program;
    QProcess m_process;
    QByteArray m_line;   ///< The beginning of a line on standard output.
    QByteArray m_errors; ///< The end of standard error.
    QTimer m_patience;
    bool m_cancelled = false;
    bool m_ended = true;
};

} // namespace jetscope
