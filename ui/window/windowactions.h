// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>

class QAction;
class QMainWindow;

namespace jetscope {

/// Every command of the window with its key, in one place. Each also sits in the window, so that its key works
/// everywhere.
struct WindowActions {
    explicit WindowActions(QMainWindow *window);

    QAction *openFile;
    QAction *pause;
    QAction *step;
    QAction *record;
    QAction *openTrace;
    QAction *save;
    QAction *exportChrome;
    QAction *exportFrames;
    QAction *exportPicture;
    QAction *find;
    QAction *retry;
    QAction *pinBaseline;
    QAction *showBefore;
    QAction *showAnswer;
    QAction *inspect;
    QAction *fit;
    QAction *actualSize;
    QAction *follow;
    QAction *lightTheme;
    QAction *lockPanels;
    QAction *fullScreen;
    QAction *videoIsBlack;
    QAction *help;
    QAction *quit;

    QList<QAction *> all;

    /// Shows the action's other face: "Pause" while running, "Resume" while paused.
    void setPaused(bool paused);
    /// Its purpose and key, whatever its tool tip says now.
    static QString toolTipOf(const QAction *action);
    /// "Record" or "Stop".
    void setRecording(bool recording);

private:
    QAction *add(QMainWindow *window, const QString &text, const QString &keys, const QString &purpose);
};

} // namespace jetscope
