// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/icons.h"

#include <QList>
#include <QWidget>

class QAction;
class QHBoxLayout;
class QMenu;
class QToolButton;

namespace jetscope {

class FiguresBar;

/// The tools of a workspace and its figures, which stand beside the tabs of the workspaces.
class WorkspaceTools : public QWidget {
    Q_OBJECT
public:
    explicit WorkspaceTools(QWidget *parent = nullptr);

    QToolButton *addAction(QAction *action);
    QToolButton *addMenu(Glyph icon, const QString &text, const QString &help, QMenu *menu);
    FiguresBar *figures() const { return m_figures; }

    /// Tools with or without text.
    void setWords(bool words);
    /// Width that the tools need with or without text, whatever they have now.
    int widthWith(bool words) const;

private:
    QToolButton *add(QToolButton *button);

    QList<QToolButton *> m_buttons;
    QHBoxLayout *m_row;
    FiguresBar *m_figures;
};

} // namespace jetscope
