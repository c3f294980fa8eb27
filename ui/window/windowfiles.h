// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/files/tracefiles.h"

#include <QObject>

class QMenu;
class QStackedWidget;

namespace jetscope {

class ErrorPage;
class MessageBar;
class Settings;
class Session;
class StatusLine;
class TopBar;
class TraceFilePage;
class TracePanels;
struct WindowActions;

/// The window's files: its commands on them, files that are dropped on it, the page of a trace from a file, and the
/// recording in the status line. UI thread; the parts outlive it.
class WindowFiles : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QWidget &window;
        Session &session;
        Settings &settings;
        WindowActions &actions;
        TracePanels &panels;
        QStackedWidget &pages; ///< Gets the page of a trace from a file.
        ErrorPage &errorPage;
        MessageBar &messages;
        TopBar &topBar;
        StatusLine &status;
    };
    /// Without functions in `dialogs`, the real file dialogs are used.
    WindowFiles(const Parts &parts, FileDialogs dialogs);

    /// Needs only the commands, because the menu is made before the other parts.
    static QMenu *makeMenu(const WindowActions &actions, QWidget *parent);

    TraceFiles &files() { return m_files; }
    /// Shows the session's trace, which comes from a file.
    void showTrace();

signals:
    void sourceChosen(const QString &uri); ///< The user chose a video or a picture.

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void connectCommands();
    void askForVideo();
    void openDropped(const QString &path);
    void showRecording();

    const Parts m_parts;
    TraceFiles m_files;
    TraceFilePage *m_page;
};

} // namespace jetscope
