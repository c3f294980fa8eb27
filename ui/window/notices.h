// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace jetscope {

class BackgroundJob;
class MessageBar;

/// The message of the window and the progress of work on files, above the lower left of the window's content: they
/// appear and go without moving anything, because the user may be about to click. UI thread.
class Notices : public QWidget {
    Q_OBJECT
public:
    /// `below`: what stays visible at the lower edge of the window.
    Notices(QWidget &window, const QWidget &below);

    MessageBar *messages() const { return m_messages; }
    /// The job must outlive it.
    void addJob(BackgroundJob &job);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void add(QWidget *notice);
    void place();

    QWidget &m_window;
    const QWidget &m_below;
    MessageBar *m_messages;
};

} // namespace jetscope
