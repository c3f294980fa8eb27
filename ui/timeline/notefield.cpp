// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/notefield.h"

#include "ui/style/icons.h"
#include "ui/timeline/timelinelayout.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kFieldGap = 4; ///< Below the ruler.
constexpr int kFieldMargin = 8;
constexpr int kMostLetters = 500;

} // namespace

NoteField::NoteField(QWidget *parent) : QFrame(parent), m_where(new QLabel(this)), m_text(new QLineEdit(this))
{
    setObjectName(QStringLiteral("noteField"));
    setCursor(Qt::ArrowCursor);
    m_where->setProperty("muted", true);
    m_text->setPlaceholderText(tr("Note, or nothing for a bookmark"));
    m_text->setAccessibleName(tr("Text of the note"));
    m_text->setToolTip(tr("Enter keeps the note, Esc does not"));
    m_text->setMaxLength(kMostLetters);
    m_text->setMinimumWidth(16 * fontMetrics().height());
    auto *keepIt = new QToolButton(this);
    keepIt->setText(tr("Keep"));
    keepIt->setToolTip(tr("Keeps the note (Enter)"));
    auto *drop = new QToolButton(this);
    drop->setIcon(glyphIcon(Glyph::Close));
    drop->setToolTip(tr("Close (Esc)"));
    drop->setAccessibleName(drop->toolTip());
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 6, 4);
    row->setSpacing(6);
    row->addWidget(m_where);
    row->addWidget(m_text, 1);
    row->addWidget(keepIt);
    row->addWidget(drop);
    connect(keepIt, &QToolButton::clicked, this, &NoteField::keep);
    connect(drop, &QToolButton::clicked, this, &NoteField::close);
    parent->installEventFilter(this);
    hide();
}

void NoteField::ask(Interval time, const QString &where)
{
    m_time = time;
    m_where->setText(where);
    m_text->clear();
    show();
    raise();
    place();
    m_text->setFocus();
}

void NoteField::place()
{
    const int room = parentWidget()->width() - 2 * kFieldMargin;
    adjustSize();
    const int width = std::min(sizeHint().width(), room);
    setGeometry(parentWidget()->width() - width - kFieldMargin, usualMetrics().rulerHeight + kFieldGap, width,
                height());
}

void NoteField::keep()
{
    const QString text = m_text->text();
    close();
    emit given(m_time, text);
}

void NoteField::close()
{
    hide();
    emit closed();
}

bool NoteField::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parent() && event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

void NoteField::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        keep();
        break;
    case Qt::Key_Escape:
        close();
        break;
    default:
        break; // Other keys must not reach the timeline.
    }
}

} // namespace jetscope
