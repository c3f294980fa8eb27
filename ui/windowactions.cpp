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
    record = add(window, tr("Record"), QString(), tr("captures are not written yet"));
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
        add(window, tr("Follow the newest frames"), QStringLiteral("Ctrl+End"), tr("The timeline moves along again"));
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
    record->setEnabled(false);
    setPaused(false);
}

QAction *WindowActions::add(QMainWindow *window, const QString &text, const QString &keys, const QString &purpose)
{
    auto *action = new QAction(text, window);
    if (!keys.isEmpty())
        action->setShortcut(QKeySequence::fromString(keys, QKeySequence::PortableText));
    action->setToolTip(
        keys.isEmpty() ? purpose
                       : QStringLiteral("%1 (%2)").arg(purpose, action->shortcut().toString(QKeySequence::NativeText)));
    action->setStatusTip(purpose);
    window->addAction(action);
    all.append(action);
    return action;
}

void WindowActions::setPaused(bool paused)
{
    pause->setText(paused ? tr("Resume") : tr("Pause"));
    pause->setIcon(glyphIcon(paused ? Glyph::Play : Glyph::Pause));
}

} // namespace jetscope
