// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowactions.h"

#include "ui/style/icons.h"

#include <QAction>
#include <QCoreApplication>
#include <QMainWindow>

namespace jetscope {

namespace {

QString actionText(const char *text)
{
    return QCoreApplication::translate("jetscope::WindowActions", text);
}

} // namespace

WindowActions::WindowActions(QMainWindow *window)
{
    open = add(
        window, actionText("Open…"), QStringLiteral("Ctrl+O"),
        actionText("Opens a capture, a sweep, a trace of another program or an export of Nsight Systems in Trace, a "
                   "log of tegrastats in Board, and a video or a picture in Live"));
    open->setShortcuts({open->shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)});
    openFleet = add(window, actionText("Open a fleet…"), QStringLiteral("Ctrl+Alt+B"),
                    actionText("Opens a folder with runs of many boards, and says which of them a build made slower"));
    pause = add(window, actionText("Pause"), QStringLiteral("Space"),
                actionText("Stops taking frames; the picture and the timeline stay"));
    step = add(window, actionText("Step"), QStringLiteral("."), actionText("Processes one more frame and pauses"));
    nextCamera = add(window, actionText("Next camera"), QStringLiteral("C"),
                     actionText("Lets the next one of several open cameras drive the pipeline"));
    record = add(window, actionText("Record"), QStringLiteral("Ctrl+R"),
                 actionText("Writes everything from now on to a capture file; the window is not affected"));
    logBoard = add(window, actionText("Log this board…"), QStringLiteral("Ctrl+Shift+R"),
                   actionText("Writes the values of this machine into a table (CSV), twice a second until it is "
                              "stopped; it opens in Board"));
    inspectProgram = add(window, actionText("Inspect a program…"), QStringLiteral("Ctrl+I"),
                         actionText("Starts another program, unchanged, and shows its calls of CUDA, EGL and GL live"));
    addBoards(window);
    save = add(window, actionText("Save the trace…"), QStringLiteral("Ctrl+S"),
               actionText("Writes what is on the timeline into a capture file"));
    exportChrome = add(window, actionText("Export as Chrome trace…"), QStringLiteral("Ctrl+E"),
                       actionText("Writes the selection, or else the whole trace, as JSON for Perfetto and others"));
    exportFrames = add(window, actionText("Export the frames…"), QStringLiteral("Ctrl+Shift+E"),
                       actionText("Writes the figures of the selected frames, or else of all, as a table"));
    exportPicture = add(window, actionText("Save a picture of the timeline…"), QStringLiteral("Ctrl+P"),
                        actionText("Writes the timeline as it is shown as a PNG file"));
    addReading(window);
    retry =
        add(window, actionText("Open again"), QStringLiteral("F5"),
            actionText("Opens the pipeline again with the present choices; the shown file or program if it is Trace"));
    pinBaseline = add(window, actionText("Pin as baseline A"), QStringLiteral("Ctrl+B"),
                      actionText("Keeps the present figures and frames to compare later choices with"));
    addMeasurements(window);
    addView(window);
    addWorkspaces(window);
    copyCommand = add(window, actionText("Copy as command line"), QStringLiteral("Ctrl+Shift+C"),
                      actionText("Copies a line for a terminal that runs the present choices without a window"));
    videoIsBlack = add(window, actionText("Video is black?"), QString(), actionText("Tries the next present path"));
    help = add(window, actionText("Keys"), QStringLiteral("F1"), actionText("Lists every key"));
    documentation = add(window, actionText("Documentation"), QString(),
                        actionText("Opens the reference: options, files, figures, and how they are found"));
    reportProblem =
        add(window, actionText("Report a problem…"), QString(),
            actionText("Shows what helps the developers, to be read and saved into a file; nothing is sent"));
    quit = add(window, actionText("Quit"), QStringLiteral("Ctrl+Q"), actionText("Closes the window"));

    for (QAction *action : {showBefore, showAnswer, inspect, lightTheme, reduceMotion, lockPanels, fullScreen})
        action->setCheckable(true);
    showBefore->setChecked(true);
    showAnswer->setChecked(true);
    lockPanels->setChecked(true);
    compareFile->setIcon(glyphIcon(Glyph::Compare));
    step->setIcon(glyphIcon(Glyph::Step));
    record->setIcon(glyphIcon(Glyph::Record));
    setLoggingBoard(false);
    setPaused(false);
}

void WindowActions::addBoards(QMainWindow *window)
{
    connectBoard = add(window, actionText("Connect to a board…"), QStringLiteral("Ctrl+Alt+O"),
                       actionText("Runs the pipeline on another machine that ssh reaches, and shows it here"));
    leaveBoard = add(window, actionText("Back to this machine"), QString(),
                     actionText("Leaves the board and opens the pipeline of this machine again"));
    openOnBoard = add(window, actionText("Open a capture of the board…"), QString(),
                      actionText("Shows a capture that lies on the board, without fetching it"));
    boardCaptures = add(window, actionText("Captures on the board…"), QString(),
                        actionText("Lists what was recorded on the board, and brings it here"));
}

void WindowActions::addReading(QMainWindow *window)
{
    copyPicture = add(window, actionText("Copy a picture of the timeline"), QStringLiteral("Ctrl+Alt+P"),
                      actionText("Copies the timeline as it is shown, with the names of file and device"));
    find = add(window, actionText("Find a span…"), QStringLiteral("Ctrl+F"),
               actionText("Finds spans on the timeline by name, and with \"> 2 ms\" those that are longer"));
    listSpans = add(window, actionText("Spans as a table…"), QStringLiteral("Ctrl+Shift+L"),
                    actionText("Lists lane, name, start and duration of the selected spans"));
    nextLonger = add(window, actionText("Next longer one"), QStringLiteral("G"),
                     actionText("Goes to the next span with the selected one's name that is longer"));
    previousLonger = add(window, actionText("Previous longer one"), QStringLiteral("Shift+G"),
                         actionText("Goes to the last span before with the selected one's name that is longer"));
    addNote = add(window, actionText("Add a note…"), QStringLiteral("Ctrl+N"),
                  actionText("Writes a note at the selected range or span, or else under the mouse; without a text it "
                             "is a bookmark"));
    nextNote = add(window, actionText("Next note"), QStringLiteral("N"), actionText("Shows the next note"));
    previousNote =
        add(window, actionText("Previous note"), QStringLiteral("Shift+N"), actionText("Shows the note before"));
}

void WindowActions::addView(QMainWindow *window)
{
    showBefore = add(window, actionText("Input beside output"), QStringLiteral("B"),
                     actionText("Shows the input left of a split; costs one copy and one conversion a frame"));
    showAnswer = add(window, actionText("Answer of the CPU stage"), QStringLiteral("O"),
                     actionText("Draws edges, contours or the histogram over the picture"));
    inspect = add(window, actionText("Pixel inspector"), QStringLiteral("I"),
                  actionText("Shows position and colour of the pixel under the mouse"));
    fit = add(window, actionText("Fit the picture"), QStringLiteral("Ctrl+0"),
              actionText("Shows the whole picture as large as it fits"));
    actualSize = add(window, actionText("Actual size"), QStringLiteral("Ctrl+1"),
                     actionText("Shows one pixel of the picture per pixel of the window"));
    fetchFrame = add(window, actionText("Fetch the whole frame"), QStringLiteral("Ctrl+Alt+F"),
                     actionText("Fetches the shown frame of a board as it is, without loss"));
    saveFrame = add(window, actionText("Save the whole frame…"), QStringLiteral("Ctrl+Alt+S"),
                    actionText("Writes the whole frame of a board that was fetched as a PNG file"));
    follow = add(window, actionText("Follow the newest frames"), QStringLiteral("Ctrl+End"),
                 actionText("Timeline and picture follow the newest frames again"));
    filterLanes = add(window, actionText("Filter the lanes…"), QStringLiteral("Ctrl+Shift+F"),
                      actionText("Shows only lanes of the timeline whose name contains a word"));
    showLanes = add(window, actionText("Show all lanes"), QString(),
                    actionText("Shows the lanes again that were hidden or filtered out"));
    viewBack = add(window, actionText("Previous view"), QStringLiteral("Alt+Left"),
                   actionText("Shows the part of the timeline from before the last jump or zoom"));
    viewForward = add(window, actionText("Next view"), QStringLiteral("Alt+Right"),
                      actionText("Shows again what the previous view has left"));
    lightTheme =
        add(window, actionText("Light theme"), QStringLiteral("Ctrl+T"), actionText("Dark text on a light ground"));
    reduceMotion = add(window, actionText("Reduce motion"), QString(),
                       actionText("Zooming jumps, and a timeline that follows moves once a second"));
    lockPanels = add(window, actionText("Lock the panels"), QStringLiteral("Ctrl+L"),
                     actionText("Unlocked panels have title bars to move and float them"));
    fullScreen =
        add(window, actionText("Full screen"), QStringLiteral("F11"), actionText("The window fills the screen"));
}

void WindowActions::addMeasurements(QMainWindow *window)
{
    sweep = add(window, actionText("Sweep…"), QStringLiteral("Ctrl+M"),
                actionText("Measures every combination of the choices that you check, and shows them as a heat map"));
    tune = add(window, actionText("Find the best…"), QStringLiteral("Ctrl+Shift+M"),
               actionText("Searches from the present choices towards the best ones"));
    experiments = add(window, actionText("Experiments…"), QStringLiteral("Ctrl+Shift+X"),
                      actionText("Measurements that answer one question about the device each"));
    probe = add(window, actionText("Probe…"), QStringLiteral("Ctrl+Alt+X"),
                actionText("Measures the memory kinds, copies, waits and hand-overs of the device"));
    verify =
        add(window, actionText("Verify…"), QStringLiteral("Ctrl+Alt+V"),
            actionText("Checks on this machine what was only tested against documents and fakes so far; shows such "
                       "a file of any machine"));
    report = add(window, actionText("Write a report…"), QStringLiteral("Ctrl+Shift+P"),
                 actionText("Writes the shown sweep, or the opened capture, as a page to hand on"));
    unpin = add(window, actionText("Unpin A"), QStringLiteral("Ctrl+Shift+B"),
                actionText("Gives up the baseline that is compared"));
    for (int i = 0; i < PinnedComparison::kBaselines; ++i) {
        baselines[i] =
            add(window, actionText("Baseline %1").arg(QChar(u'A' + i)), QStringLiteral("Ctrl+Alt+%1").arg(i + 1),
                actionText("Compares the present with this baseline, which is pinned next"));
        baselines[i]->setCheckable(true);
    }
    baselines[0]->setChecked(true);
    compareTurns = add(window, actionText("Compare with A by turns"), QStringLiteral("Ctrl+Shift+T"),
                       actionText("Alternates for some seconds between the baseline and the present choices"));
    compareFile = add(window, actionText("Compare with…"), QStringLiteral("Ctrl+D"),
                      actionText("Opens another capture and compares it with the opened one"));
    trySyncs = add(window, actionText("Try every sync mode"), QStringLiteral("Ctrl+Shift+Y"),
                   actionText("Runs every safe synchronization for 3 s by turns and says which is the best"));
    tryMemories = add(window, actionText("Try every memory kind"), QStringLiteral("Ctrl+Shift+K"),
                      actionText("Runs every memory kind for 3 s by turns and says which is the best"));
}

void WindowActions::addWorkspaces(QMainWindow *window)
{
    live = add(window, actionText("Live"), QStringLiteral("Alt+1"), actionText("Shows the running pipeline"));
    trace = add(window, actionText("Trace"), QStringLiteral("Alt+2"),
                actionText("Shows what was opened: a file or a program"));
    board = add(window, actionText("Board"), QStringLiteral("Alt+3"),
                actionText("Shows a board over time: loads, clocks, temperatures, power"));
    lab = add(window, actionText("Lab"), QStringLiteral("Alt+4"),
              actionText("Measures what no trace shows, such as glass to glass"));
    search = add(window, actionText("Search"), QStringLiteral("Ctrl+K"),
                 actionText("Finds spans, lanes, files and commands by name"));
    undo = add(window, actionText("Undo"), QStringLiteral("Ctrl+Z"),
               actionText("Takes back the last change of the choices, the baseline or the notes"));
    redo = add(window, actionText("Redo"), QStringLiteral("Ctrl+Shift+Z"),
               actionText("Makes the change again that was undone last"));
}

QAction *WindowActions::add(QMainWindow *window, const QString &text, const QString &keys, const QString &purpose)
{
    auto *action = new QAction(text, window);
    action->setIconText(action->iconText()); // Stays so when the text changes.
    if (!keys.isEmpty())
        action->setShortcut(QKeySequence::fromString(keys, QKeySequence::PortableText));
    action->setData(purpose); // A status tip would cover the figures of the status line.
    action->setToolTip(toolTipOf(action));
    window->addAction(action);
    all.append(action);
    return action;
}

QString WindowActions::toolTipOf(const QAction *action)
{
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    const QString purpose = action->data().toString();
    return keys.isEmpty() ? purpose : QStringLiteral("%1 (%2)").arg(purpose, keys);
}

void WindowActions::allow(QAction *action, const QString &reason)
{
    action->setEnabled(reason.isEmpty());
    action->setToolTip(reason.isEmpty() ? toolTipOf(action) : reason);
}

void WindowActions::setRecording(bool recording)
{
    record->setText(recording ? actionText("Stop") : actionText("Record"));
    record->setIcon(glyphIcon(recording ? Glyph::Stop : Glyph::Record));
}

void WindowActions::setLoggingBoard(bool logging)
{
    logBoard->setText(logging ? actionText("Stop the log") : actionText("Log this board…"));
    logBoard->setIcon(glyphIcon(logging ? Glyph::Stop : Glyph::Record));
}

void WindowActions::setPaused(bool paused)
{
    pause->setText(paused ? actionText("Resume") : actionText("Pause"));
    pause->setIcon(glyphIcon(paused ? Glyph::Play : Glyph::Pause));
}

} // namespace jetscope
