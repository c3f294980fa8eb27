// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"

#include <QFrame>

class QLabel;
class QLineEdit;

namespace jetscope {

/// Asks for the text of a note, at the top of a timeline: Enter keeps it, Esc does not. UI thread.
class NoteField : public QFrame {
    Q_OBJECT
public:
    explicit NoteField(QWidget *parent);

    /// `where`: the time of the note, in words.
    void ask(Interval time, const QString &where);
    const Interval &time() const { return m_time; }

signals:
    void given(jetscope::Interval time, const QString &text);
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    void keep();
    void close();

    QLabel *m_where;
    QLineEdit *m_text;
    Interval m_time;
};

} // namespace jetscope
