// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>

class QScrollArea;
class QStackedWidget;

namespace jetscope {

class ErrorPage;
class InspectPage;
class Session;
class Settings;
class TopBar;
struct ProgramWish;
struct WindowActions;

/// Connects the inspection of programs with the rest of the window: the command and its dialog, the page in place of
/// the picture, the controls. UI thread; the parts outlive it.
class WindowInspect : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QWidget &window;
        Session &session;
        Settings &settings;
        WindowActions &actions;
        QStackedWidget &pages; ///< Gets the page of inspected programs.
        ErrorPage &errorPage;
        TopBar &topBar;
    };
    explicit WindowInspect(const Parts &parts);

    InspectPage *page() const { return m_page; }
    /// Why times of the GPU are not known; empty unless a program is inspected.
    static QString noGpuTimes(const Session &session);

private:
    void ask();
    void opened();
    void failed();
    void showStatus();
    void showState(bool always);
    bool isInspecting() const;

    const Parts m_parts;
    InspectPage *m_page;
    QScrollArea *m_place; ///< Around the page, which is higher than a small window.
    QElapsedTimer m_age;  ///< Of what the page shows.
};

} // namespace jetscope
