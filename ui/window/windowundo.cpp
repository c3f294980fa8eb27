// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowundo.h"

#include "ui/window/windowactions.h"

#include <QAction>

#include <utility>

namespace jetscope {

WindowUndo::WindowUndo(const WindowActions &actions, std::function<QList<History *>()> shown, QObject *parent)
    : QObject(parent), m_actions(actions), m_shown(std::move(shown))
{
    connect(actions.undo, &QAction::triggered, this, [this] {
        if (History *history = undoable())
            history->undo();
    });
    connect(actions.redo, &QAction::triggered, this, [this] {
        if (History *history = redoable())
            history->redo();
    });
}

void WindowUndo::watch(const History &history)
{
    connect(&history, &History::changed, this, &WindowUndo::showCommands);
}

History *WindowUndo::undoable() const
{
    History *newest = nullptr;
    for (History *each : m_shown())
        if (each->undoStep().number > (newest ? newest->undoStep().number : 0))
            newest = each;
    return newest;
}

/// The change that was undone last is the oldest of those that can be done again.
History *WindowUndo::redoable() const
{
    History *oldest = nullptr;
    for (History *each : m_shown())
        if (const quint64 number = each->redoStep().number;
            number > 0 && (!oldest || number < oldest->redoStep().number))
            oldest = each;
    return oldest;
}

void WindowUndo::showCommands()
{
    const auto show = [](QAction *action, const QString &words, const QString &none) {
        WindowActions::allow(action, words.isEmpty() ? none : QString());
        if (!words.isEmpty())
            action->setToolTip(WindowActions::toolTipOf(action) + u'\n' + words);
    };
    const History *back = undoable();
    const History *forth = redoable();
    show(m_actions.undo, back ? back->undoStep().words : QString(),
         tr("Nothing was changed here that could be undone."));
    show(m_actions.redo, forth ? forth->redoStep().words : QString(), tr("Nothing was undone here."));
}

} // namespace jetscope
