// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/notespage.h"

#include "core/trace/trace.h"
#include "ui/session/notelist.h"
#include "ui/style/shortenedlabel.h"
#include "ui/style/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

namespace {

enum NotesColumn { NoteTime, NoteLength, NoteText };

} // namespace

NotesPage::NotesPage(const Trace &trace, NoteList &notes, QWidget *parent)
    : QWidget(parent),
      m_trace(trace),
      m_notes(notes),
      m_empty(new QLabel),
      m_list(new QTreeWidget),
      m_show(new QPushButton(tr("Show"))),
      m_remove(new QPushButton(tr("Delete"))),
      m_place(new ShortenedLabel)
{
    m_empty->setText(
        tr("Notes on this trace appear here. Ctrl+N makes one at the selected range or span, or else under the mouse; "
           "without a text it is a bookmark."));
    m_empty->setWordWrap(true);
    m_empty->setProperty("muted", true);
    m_list->setAccessibleName(tr("Notes"));
    m_list->setToolTip(
        tr("Enter or a double click shows a note on the timeline, F2 changes its text, Delete removes it"));
    m_list->setHeaderLabels({tr("Time"), tr("Length"), tr("Note")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers); // F2 would edit the time.
    m_list->header()->setSectionResizeMode(NoteTime, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(NoteLength, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(true);
    m_place->setProperty("muted", true);
    auto *add = new QPushButton(tr("Add a note"));
    add->setToolTip(tr("At the selected range or span, or else under the mouse (Ctrl+N)"));
    m_show->setToolTip(tr("Shows the selected note on the timeline (Enter)"));
    m_remove->setToolTip(tr("Removes the selected note (Delete); Ctrl+Z brings it back"));
    auto *buttons = new QHBoxLayout;
    for (QPushButton *button : {add, m_show, m_remove})
        buttons->addWidget(button);
    buttons->addWidget(m_place, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->addWidget(m_empty);
    column->addWidget(m_list, 1);
    column->addLayout(buttons);
    const auto place = [this] { return static_cast<std::size_t>(std::max(0, m_list->currentIndex().row())); };
    connect(add, &QPushButton::clicked, this, &NotesPage::newWanted);
    connect(m_show, &QPushButton::clicked, this, [this, place] { emit chosen(place()); });
    connect(m_remove, &QPushButton::clicked, this, &NotesPage::removeCurrent);
    connect(m_list, &QTreeWidget::itemActivated, this, [this, place] { emit chosen(place()); });
    connect(m_list, &QTreeWidget::itemChanged, this, &NotesPage::edited);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem *item) {
        m_show->setEnabled(item);
        m_remove->setEnabled(item);
    });
    connect(&m_notes, &NoteList::changed, this, &NotesPage::fill);
    fill();
}

void NotesPage::fill()
{
    if (m_isFilling)
        return;
    m_isFilling = true;
    const int row = m_list->currentIndex().row();
    m_list->clear();
    const std::int64_t zeroNs = m_trace.empty() ? 0 : m_trace.oldestNs();
    for (const TraceNote &note : m_notes.all()) {
        auto *item = new QTreeWidgetItem(m_list);
        item->setText(NoteTime, exactMillisText(note.startNs - zeroNs));
        item->setText(NoteLength, note.endNs > note.startNs ? durationText(note.endNs - note.startNs) : QString());
        item->setText(NoteText, toQString(note.text));
        item->setTextAlignment(NoteTime, Qt::AlignRight | Qt::AlignVCenter);
        item->setTextAlignment(NoteLength, Qt::AlignRight | Qt::AlignVCenter);
        item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    const int rows = m_list->topLevelItemCount();
    m_list->setVisible(rows > 0);
    m_empty->setVisible(rows == 0);
    m_list->setCurrentItem(m_list->topLevelItem(std::clamp(row, 0, std::max(0, rows - 1))));
    m_show->setEnabled(rows > 0);
    m_remove->setEnabled(rows > 0);
    m_isFilling = false;
}

/// Only the text can be changed: the other columns get their words back.
void NotesPage::edited(QTreeWidgetItem *item, int column)
{
    if (m_isFilling)
        return;
    const auto place = static_cast<std::size_t>(m_list->indexOfTopLevelItem(item));
    const QString text = item->text(column);
    // Filling the list here would destroy the item whose editor is being closed.
    QMetaObject::invokeMethod(
        this,
        [this, place, text, column] {
            if (column == NoteText)
                m_notes.setText(place, text);
            fill();
        },
        Qt::QueuedConnection);
}

void NotesPage::removeCurrent()
{
    if (m_list->currentItem())
        m_notes.remove(static_cast<std::size_t>(m_list->currentIndex().row()));
}

void NotesPage::setPlace(const QString &place)
{
    m_place->setText(place);
    m_place->setToolTip(place);
}

QString NotesPage::place() const
{
    return m_place->text();
}

void NotesPage::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Delete && m_list->hasFocus())
        removeCurrent();
    else if (event->key() == Qt::Key_F2 && m_list->currentItem())
        m_list->editItem(m_list->currentItem(), NoteText);
    else
        QWidget::keyPressEvent(event);
}

} // namespace jetscope
