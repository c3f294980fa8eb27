// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>

class QScrollArea;

namespace jetscope {

class InspectPage;
class Session;
class Settings;
class TitleLine;
struct FileDialogs;
struct ProgramWish;
struct WindowActions;

/// Connects the inspection of programs with the rest of its workspace: the command and its dialog, the page of the
/// program, the head line. UI thread; the parts outlive it.
class WindowInspect : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QWidget &window;
        Session &session;
        Settings &settings;
        WindowActions &actions;
        TitleLine &head;
        const FileDialogs &dialogs;
    };
    explicit WindowInspect(const Parts &parts);

    InspectPage *page() const { return m_page; }
    QScrollArea *place() const { return m_place; } ///< What to show.
    /// The board on which programs run; empty: this machine.
    void setBoard(const QString &name) { m_board = name; }
    /// Why times of the GPU are not known; empty unless a program is inspected.
    static QString noGpuTimes(const Session &session);

private:
    void ask();
    void opened();
    void showStatus();
    void showState(bool always);
    bool isInspecting() const;

    const Parts m_parts;
    QString m_board;
    InspectPage *m_page;
    QScrollArea *m_place; ///< Around the page, which is higher than its room in a small window.
    QElapsedTimer m_age;  ///< Of what the page shows.
};

} // namespace jetscope
