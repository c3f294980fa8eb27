// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QLabel;
class QProgressBar;
class QPushButton;

namespace jetscope {

class BackgroundJob;

/// Which file is being read or written, its progress, and a button to cancel; visible while the job runs. The job must
/// outlive it.
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
