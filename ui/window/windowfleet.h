// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/workspace.h"

#include <QObject>
#include <QPointer>

namespace jetscope {

class FleetDialog;
class TraceWorkspace;

/// Fleets in the window: the command, the dialog of a folder, and the two captures that it wants compared. UI thread;
/// the parts outlive it.
class WindowFleet : public QObject {
    Q_OBJECT
public:
    WindowFleet(const Shell &shell, TraceWorkspace &trace);
    ~WindowFleet() override;

private:
    void ask();
    void open(const QString &folder);
    void compare(const QString &a, const QString &b);
    void shown();

    const Shell m_shell;
    TraceWorkspace &m_trace;
    QPointer<FleetDialog> m_dialog;
    QString m_a;
    QString m_b; ///< Compared with A once that is open; empty: nothing waits.
};

} // namespace jetscope
