// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/workspacetools.h"

#include "ui/style/layouts.h"
#include "ui/window/figuresbar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace jetscope {

namespace {

constexpr int kToolSpacing = 8;

/// Width of a tool with or without text, whatever its present style.
int toolWidth(const QToolButton &tool, bool words)
{
    const QFontMetrics metrics = tool.fontMetrics();
    const int text = 4 + metrics.size(Qt::TextShowMnemonic, tool.text()).width() + 2 * metrics.horizontalAdvance(u' ');
    const bool hasWords = tool.toolButtonStyle() != Qt::ToolButtonIconOnly;
    return tool.sizeHint().width() + (words && !hasWords ? text : 0) - (hasWords && !words ? text : 0);
}

} // namespace

WorkspaceTools::WorkspaceTools(QWidget *parent)
    : QWidget(parent), m_row(makeInnerLayout<QHBoxLayout>(this, kToolSpacing)), m_figures(new FiguresBar(this))
{
    m_row->addStretch(1);
    m_row->addWidget(m_figures);
    m_figures->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

QToolButton *WorkspaceTools::add(QToolButton *button)
{
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    m_row->insertWidget(static_cast<int>(m_buttons.size()), button);
    m_buttons.append(button);
    return button;
}

QToolButton *WorkspaceTools::addAction(QAction *action)
{
    auto *button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAccessibleDescription(action->toolTip());
    return add(button);
}

QToolButton *WorkspaceTools::addMenu(Glyph icon, const QString &text, const QString &help, QMenu *menu)
{
    auto *button = new QToolButton(this);
    button->setText(text);
    button->setIcon(glyphIcon(icon));
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setAccessibleName(text);
    button->setToolTip(help);
    button->setAccessibleDescription(help);
    button->setProperty("menuTool", true);
    return add(button);
}

void WorkspaceTools::setWords(bool words)
{
    for (QToolButton *button : m_buttons)
        button->setToolButtonStyle(words ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

int WorkspaceTools::widthWith(bool words) const
{
    int width = m_figures->wholeWidth() + kToolSpacing; // The stretch before the figures has spacing, too.
    for (const QToolButton *button : m_buttons)
        width += toolWidth(*button, words) + kToolSpacing;
    return width;
}

} // namespace jetscope
