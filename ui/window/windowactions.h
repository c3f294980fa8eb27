// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/measure/pinnedcomparison.h"

#include <QList>
#include <QObject>

class QAction;
class QMainWindow;

namespace jetscope {

/// All commands of the window with their shortcuts. Each is added to the window, so that its shortcut works everywhere.
struct WindowActions {
    explicit WindowActions(QMainWindow *window);

    QAction *open;
    QAction *openFleet;
    QAction *pause;
    QAction *step;
    QAction *nextCamera;
    QAction *record;
    QAction *logBoard;
    QAction *inspectProgram;
    QAction *connectBoard;
    QAction *leaveBoard;
    QAction *openOnBoard;
    QAction *boardCaptures;
    QAction *save;
    QAction *exportChrome;
    QAction *exportFrames;
    QAction *exportPicture;
    QAction *copyPicture;
    QAction *sweep;
    QAction *tune;
    QAction *experiments;
    QAction *probe;
    QAction *verify;
    QAction *report;
    QAction *find;
    QAction *listSpans;
    QAction *nextLonger;
    QAction *previousLonger;
    QAction *addNote;
    QAction *nextNote;
    QAction *previousNote;
    QAction *retry;
    QAction *pinBaseline;
    QAction *unpin;
    QAction *baselines[PinnedComparison::kBaselines]; ///< Which one is compared.
    QAction *compareTurns;
    QAction *compareFile;
    QAction *trySyncs;
    QAction *tryMemories;
    QAction *showBefore;
    QAction *showAnswer;
    QAction *inspect;
    QAction *fit;
    QAction *actualSize;
    QAction *fetchFrame;
    QAction *saveFrame;
    QAction *follow;
    QAction *filterLanes;
    QAction *showLanes;
    QAction *viewBack;
    QAction *viewForward;
    QAction *lightTheme;
    QAction *reduceMotion;
    QAction *lockPanels;
    QAction *fullScreen;
    QAction *videoIsBlack;
    QAction *copyCommand;
    QAction *help;
    QAction *documentation;
    QAction *reportProblem;
    QAction *quit;
    QAction *live;
    QAction *trace;
    QAction *board;
    QAction *lab;
    QAction *search;
    QAction *undo;
    QAction *redo;

    QList<QAction *> all;

    /// "Pause" while running, "Resume" while paused.
    void setPaused(bool paused);
    /// Purpose and shortcut, independent of the present tooltip.
    static QString toolTipOf(const QAction *action);
    /// Enables an action, or disables it with the reason as its tooltip.
    static void allow(QAction *action, const QString &reason);
    /// "Stop" while recording, else "Record".
    void setRecording(bool recording);
    void setLoggingBoard(bool logging);

private:
    void addView(QMainWindow *window);
    void addBoards(QMainWindow *window);
    void addReading(QMainWindow *window);
    void addMeasurements(QMainWindow *window);
    void addWorkspaces(QMainWindow *window);
    QAction *add(QMainWindow *window, const QString &text, const QString &keys, const QString &purpose);
};

} // namespace jetscope
