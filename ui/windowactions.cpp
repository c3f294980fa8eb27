// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/windowactions.h"

#include "ui/icons.h"

#include <QAction>
#include <QCoreApplication>
#include <QMainWindow>

namespace jetscope {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("jetscope::WindowActions", text);
}

} // namespace

WindowActions::WindowActions(QMainWindow *window)
{
    openFile = add(window, tr("Open a file…"), QStringLiteral("Ctrl+O"),
                   tr("Shows a video, a picture or a folder of pictures"));
    pause =
        add(window, tr("Pause"), QStringLiteral("Space"), tr("Stops taking frames; the picture and the timeline stay"));
    step = add(window, tr("Step"), QStringLiteral("."), tr("Processes one more frame and pauses"));
    record =
        add(window, tr("Record"), QStringLiteral("Ctrl+R"),
            tr("Writes everything that is recorded from now on into a capture file; the window goes on as before"));
    openTrace = add(window, tr("Open a capture or trace…"), QStringLiteral("Ctrl+Shift+O"),
                    tr("Shows a capture, a Chrome trace or an export of Nsight Systems"));
    save = add(window, tr("Save the trace…"), QStringLiteral("Ctrl+S"),
               tr("Writes what is on the timeline into a capture file"));
    exportChrome = add(window, tr("Export as Chrome trace…"), QStringLiteral("Ctrl+E"),
                       tr("Writes the selection, or else the whole trace, as JSON for Perfetto and others"));
    exportFrames = add(window, tr("Export the frames…"), QStringLiteral("Ctrl+Shift+E"),
                       tr("Writes the figures of the selected frames, or else of all, as a table"));
    exportPicture = add(window, tr("Save a picture of the timeline…"), QStringLiteral("Ctrl+P"),
                        tr("Writes the timeline as it is shown as a PNG file"));
    find = add(window, tr("Find a span…"), QStringLiteral("Ctrl+F"), tr("Finds spans on the timeline by name"));
    retry = add(window, tr("Open again"), QStringLiteral("F5"),
                tr("Closes the pipeline and opens it with the present choices"));
    pinBaseline = add(window, tr("Pin as baseline A"), QStringLiteral("Ctrl+B"),
                      tr("Keeps the present figures to compare later choices with"));
    showBefore = add(window, tr("Input beside output"), QStringLiteral("B"),
                     tr("Shows the input left of a split; costs one copy and one conversion a frame"));
    showAnswer = add(window, tr("Answer of the CPU stage"), QStringLiteral("O"),
                     tr("Draws edges, contours or the histogram over the picture"));
    inspect = add(window, tr("Pixel inspector"), QStringLiteral("I"),
                  tr("Shows place and colour of the pixel under the mouse"));
    fit =
        add(window, tr("Fit the picture"), QStringLiteral("Ctrl+0"), tr("Shows the whole picture as large as it fits"));
    actualSize = add(window, tr("Actual size"), QStringLiteral("Ctrl+1"),
                     tr("Shows one pixel of the picture per pixel of the window"));
    follow =
        add(window, tr("Follow the newest frames"), QStringLiteral("Ctrl+End"), tr("Timeline and picture move along again"));
    lightTheme = add(window, tr("Light theme"), QStringLiteral("Ctrl+T"), tr("Dark text on a light ground"));
    lockPanels = add(window, tr("Lock the panels"), QStringLiteral("Ctrl+L"),
                     tr("Unlocked panels have title bars to move and float them"));
    fullScreen = add(window, tr("Full screen"), QStringLiteral("F11"), tr("The window fills the screen"));
    videoIsBlack =
        add(window, tr("Video is black?"), QString(), tr("Tries the next way to bring pictures to the screen"));
    help = add(window, tr("Keys"), QStringLiteral("F1"), tr("Lists every key"));
    quit = add(window, tr("Quit"), QStringLiteral("Ctrl+Q"), tr("Closes the window"));

    for (QAction *action : {showBefore, showAnswer, inspect, lightTheme, lockPanels, fullScreen})
        action->setCheckable(true);
    showBefore->setChecked(true);
    showAnswer->setChecked(true);
    lockPanels->setChecked(true);
    step->setIcon(glyphIcon(Glyph::Step));
    record->setIcon(glyphIcon(Glyph::Record));
    setPaused(false);
}

QAction *WindowActions::add(QMainWindow *window, const QString &text, const QString &keys, const QString &purpose)
{
    auto *action = new QAction(text, window);
    if (!keys.isEmpty())
        action->setShortcut(QKeySequence::fromString(keys, QKeySequence::PortableText));
    action->setData(purpose); // Not the status tip: that would lie over the figures of the status line.
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

void WindowActions::setRecording(bool recording)
{
    record->setText(recording ? tr("Stop") : tr("Record"));
    record->setIcon(glyphIcon(recording ? Glyph::Stop : Glyph::Record));
}

void WindowActions::setPaused(bool paused)
{
    pause->setText(paused ? tr("Resume") : tr("Pause"));
    pause->setIcon(glyphIcon(paused ? Glyph::Play : Glyph::Pause));
}

} // namespace jetscope
