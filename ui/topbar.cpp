// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/topbar.h"

#include "core/verdict.h"
#include "ui/advice/adviceline.h"
#include "ui/elidingbutton.h"
#include "ui/figuresbar.h"
#include "ui/icons.h"
#include "ui/shortenedlabel.h"
#include "ui/text.h"
#include "ui/windowactions.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace jetscope {

TopBar::TopBar(const WindowActions &actions, QMenu *programMenu, QMenu *sourceMenu, QMenu *deviceMenu, QWidget *parent)
    : QWidget(parent),
      m_source(menuButton(QStringLiteral("source"), tr("Source"), sourceMenu)),
      m_device(menuButton(QStringLiteral("device"), tr("Device"), deviceMenu)),
      m_figures(new FiguresBar(this))
{
    setObjectName(QStringLiteral("topBar"));
    setAttribute(Qt::WA_StyledBackground);
    ElidingButton *program = menuButton(QStringLiteral("program"), tr("Program"), programMenu);
    program->setText(tr("Jetscope"));
    program->setIcon(glyphIcon(Glyph::Logo));
    program->setToolTip(tr("View, present path, help and the end of the program"));

    auto *row = new QHBoxLayout;
    row->setContentsMargins(10, 0, 10, 0);
    row->setSpacing(10);
    row->addWidget(program);
    row->addWidget(m_source);
    for (QAction *action : {actions.pause, actions.step, actions.record})
        row->addWidget(actionButton(action));
    row->addWidget(m_device);
    row->addStretch(1);
    row->addWidget(m_figures);
    // Where there is too little room, these make way for the figures.
    for (ElidingButton *button : {m_source, m_device})
        button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_figures->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(makeVerdictLine());
}

ElidingButton *TopBar::menuButton(const QString &objectName, const QString &caption, QMenu *menu)
{
    auto *button = new ElidingButton(this);
    button->setObjectName(objectName);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(caption);
    button->setToolTip(caption);
    return button;
}

QToolButton *TopBar::actionButton(QAction *action)
{
    auto *button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleDescription(action->toolTip());
    return button;
}

QWidget *TopBar::makeVerdictLine()
{
    auto *line = new QWidget(this);
    line->setObjectName(QStringLiteral("verdictLine"));
    line->setAttribute(Qt::WA_StyledBackground);
    m_verdict = new ShortenedLabel(line);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setAccessibleName(tr("Verdict"));
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(14, 1, 14, 1);
    m_advice = new AdviceLine(line);
    row->addWidget(m_advice);
    row->addStretch(1);
    row->addWidget(m_verdict);
    return line;
}

void TopBar::setButtonText(ElidingButton *button, const QString &caption, const QString &text)
{
    button->setFullText(caption + QStringLiteral("  ") + text);
    button->setToolTip(caption + QStringLiteral(": ") + text);
    button->setAccessibleDescription(text);
}

void TopBar::setSource(const QString &description)
{
    m_sourceText = description;
    setButtonText(m_source, tr("Source"), description);
    setSourceDetails(m_sourceDetails);
}

void TopBar::setSourceDetails(const QString &details)
{
    m_sourceDetails = details;
    const QString tip = tr("Source: %1").arg(m_sourceText) + (details.isEmpty() ? QString() : QStringLiteral("\n") + details);
    if (m_source->toolTip() != tip)
        m_source->setToolTip(tip);
}

void TopBar::setDevice(const QString &name)
{
    setButtonText(m_device, tr("Device"), name);
}

void TopBar::setVerdict(const Verdict &verdict)
{
    m_verdict->setText(toQString(verdict.sentence));
    m_verdict->setToolTip(m_verdict->text());
}

QString TopBar::verdictText() const
{
    return m_verdict->text();
}

} // namespace jetscope
