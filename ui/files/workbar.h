// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QLabel;
class QProgressBar;
class QPushButton;

namespace jetscope {

class BackgroundJob;

/// What is being read or written, how far it is, and a way to stop it; there while it lasts. The job outlives it.
class WorkBar : public QFrame {
    Q_OBJECT
public:
    explicit WorkBar(BackgroundJob &job, QWidget *parent = nullptr);
    QPushButton *cancelButton() const { return m_cancel; }

private:
    QLabel *m_text;
    QProgressBar *m_progress;
    QPushButton *m_cancel;
};

} // namespace jetscope
