// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/headline.h"

class QPushButton;

namespace jetscope {

/// What is open, in a line: the file or program with what is known of it, what its reader has to say, and what counts
/// as a frame; below it the verdict.
class TitleLine : public HeadLine {
    Q_OBJECT
public:
    explicit TitleLine(QWidget *parent = nullptr);

    void setTitle(const QString &title, const QString &facts);
    /// The first of several notes is shown; both buttons are hidden if there is nothing to say or choose.
    void setNotes(const QStringList &notes, bool frames);
    QString title() const;
    QString facts() const;

signals:
    void notesWanted();
    void framesWanted();

private:
    QLabel *m_title;
    QLabel *m_facts;
    QPushButton *m_notes;
    QPushButton *m_frames;
};

} // namespace jetscope
