// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/childcommand.h"

namespace jetscope {

class Session;

/// A command that measures while the session's own pipeline is closed: both would share the GPU, and a camera can be
/// open only once. Afterwards the pipeline runs again as it was. One at a time. UI thread; the session must outlive it.
class Measurement : public QObject {
    Q_OBJECT
public:
    Measurement(Session &session, const QString &program, QObject *parent = nullptr);

    bool isRunning() const { return m_running; }
    /// None may be running. `reason` is shown in place of the picture.
    void start(const QStringList &arguments, const QString &reason);
    /// The board that is measured, by its address; empty: this machine.
    void setBoard(const QString &address) { m_board = address; }
    void cancel();
    /// What it does to the pipeline and its timeline, for those who are about to start one.
    static QString closesThePipeline();

signals:
    void said(const QJsonObject &line);
    void ended(const jetscope::ChildEnding &ending); ///< The pipeline is being opened again.

private:
    void begin();
    void end(const ChildEnding &ending);

    Session &m_session;
    ChildCommand m_child;
    QStringList m_arguments;
    QString m_board;
    bool m_running = false;
    bool m_waits = false; ///< For the pipeline to be closed.
    bool m_cancelled = false;
};

} // namespace jetscope
