// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/foldinggroup.h"

#include "ui/style/layouts.h"
#include "ui/style/shortenedlabel.h"
#include "ui/style/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <utility>

namespace jetscope {

namespace {

constexpr int kSignWidth = 14;

} // namespace

FoldTitle::FoldTitle(const QString &title, QWidget *parent)
    : QPushButton(parent), m_title(title), m_value(new ShortenedLabel(this))
{
    setProperty("fold", true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    auto *label = new QLabel(title.toUpper(), this);
    label->setProperty("section", true);
    m_value->setProperty("muted", true);
    m_value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kSignWidth, 2, 2, 2);
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(m_value, 1);
    for (QLabel *each : {label, m_value})
        each->setAttribute(Qt::WA_TransparentForMouseEvents);
    connect(this, &QPushButton::clicked, this, [this] { emit foldWanted(std::exchange(m_all, false)); });
}

void FoldTitle::showState(bool isFolded, const QString &value)
{
    m_isFolded = isFolded;
    m_value->setText(isFolded ? value : QString());
    setAccessibleName(value.isEmpty() ? m_title : tr("%1: %2").arg(m_title, value));
    const QString help = isFolded ? tr("Folded. A click or Enter unfolds it, with Alt all groups")
                                  : tr("A click or Enter folds it to one line, with Alt all groups");
    setToolTip(isFolded && !value.isEmpty() ? value + u'\n' + help : help);
    setAccessibleDescription(help);
    update();
}

QSize FoldTitle::sizeHint() const
{
    return layout()->totalMinimumSize();
}

void FoldTitle::paintEvent(QPaintEvent *event)
{
    QPushButton::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().muted, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.translate(5, height() / 2.0);
    if (m_isFolded)
        painter.drawPolyline(QPolygonF{{-1.5, -3.5}, {2, 0}, {-1.5, 3.5}});
    else
        painter.drawPolyline(QPolygonF{{-3.5, -1.5}, {0, 2}, {3.5, -1.5}});
}

/// Outside of dialogs Qt presses buttons with Space only.
void FoldTitle::keyPressEvent(QKeyEvent *event)
{
    m_all = event->modifiers().testFlag(Qt::AltModifier);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QPushButton::keyPressEvent(event);
}

void FoldTitle::mousePressEvent(QMouseEvent *event)
{
    m_all = event->modifiers().testFlag(Qt::AltModifier);
    QPushButton::mousePressEvent(event);
}

FoldingGroup::FoldingGroup(const QString &name, const QString &title, QWidget *content, QWidget *parent)
    : QWidget(parent), m_title(new FoldTitle(title, this)), m_content(content)
{
    setObjectName(name);
    auto *column = makeInnerLayout<QVBoxLayout>(this, 5);
    column->addWidget(m_title);
    column->addWidget(content);
    connect(m_title, &FoldTitle::foldWanted, this, [this](bool all) {
        setFolded(!m_isFolded);
        emit toggled(m_isFolded, all);
    });
    m_title->showState(false, {});
}

void FoldingGroup::setFolded(bool folded)
{
    m_isFolded = folded;
    if (folded && m_content->isAncestorOf(focusWidget()))
        m_title->setFocus(); // Else it would go to a neighbour, out of sight perhaps.
    m_content->setVisible(!folded);
    m_title->showState(folded, m_value);
}

void FoldingGroup::setValue(const QString &value)
{
    m_value = value;
    m_title->showState(m_isFolded, value);
}

} // namespace jetscope
