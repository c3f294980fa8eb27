// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/history.h"

#include <functional>

namespace jetscope {

struct WindowActions;

/// Undo and redo of the window: the newest change of what is shown, of whatever kind it is. UI thread; the references
/// outlive it.
class WindowUndo : public QObject {
    Q_OBJECT
public:
    /// `shown`: the histories of what is shown now.
    WindowUndo(const WindowActions &actions, std::function<QList<History *>()> shown, QObject *parent);

    void watch(const History &history);
    void showCommands();

private:
    History *undoable() const;
    History *redoable() const;

    const WindowActions &m_actions;
    std::function<QList<History *>()> m_shown;
};

} // namespace jetscope
