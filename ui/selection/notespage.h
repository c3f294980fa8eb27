// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace jetscope {

class NoteList;
class Trace;

/// The tab of notes: their times and texts, to edit, delete and go to. UI thread; the references outlive it.
class NotesPage : public QWidget {
    Q_OBJECT
public:
    NotesPage(const Trace &trace, NoteList &notes, QWidget *parent = nullptr);

    QTreeWidget *list() const { return m_list; }
    /// Where they are kept, in a sentence; may be empty.
    void setPlace(const QString &place);
    QString place() const;

signals:
    void chosen(std::size_t place); ///< The user wants to see it.
    void newWanted();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void fill();
    void edited(QTreeWidgetItem *item, int column);
    void removeCurrent();

    const Trace &m_trace;
    NoteList &m_notes;
    QLabel *m_empty;
    QTreeWidget *m_list;
    QPushButton *m_show;
    QPushButton *m_remove;
    QLabel *m_place;
    bool m_isFilling = false;
};

} // namespace jetscope
