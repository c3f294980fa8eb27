// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/workspace.h"

#include <QObject>

#include <functional>
#include <memory>

class QAction;
class QMenu;

namespace jetscope {

class DropTarget;
class LiveWorkspace;
class StatusLine;
class TraceWorkspace;
class WindowFleet;

/// The window's files: its commands on them, which are for the shown workspace, files that are dropped on it, and the
/// recording in the status line. UI thread; the parts outlive it.
class WindowFiles : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Shell shell;
        LiveWorkspace &live;
        TraceWorkspace &trace;
        StatusLine &status;
        std::function<Workspace &()> shown; ///< The workspace that commands are for.
    };
    explicit WindowFiles(Parts parts);
    ~WindowFiles() override;

    /// The workspace whose pipeline is recorded: the shown one if it has a pipeline, else that of pipelines.
    Workspace &recorded() const;

    /// What was opened before, as a menu that is filled when it is shown.
    void fillRecent(QMenu &menu);
    /// The pipeline runs on a board, which records it itself; null: on this machine.
    void setBoardRecording(std::function<void()> toggle);
    /// How that recording is; `text` is empty if there is none.
    void showBoardRecording(const QString &text);
    void showRecording();
    void openSource(const QString &uri);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void connectCommands();
    void connectWhole(QAction *action, const QString &what, const std::function<void()> &run);
    void openAny(const QString &path);
    bool drag(QEvent *event);

    const Parts m_parts;
    DropTarget *m_target;
    std::unique_ptr<WindowFleet> m_fleet;
    std::function<void()> m_recordOnBoard;
    QString m_boardRecording;
};

} // namespace jetscope
