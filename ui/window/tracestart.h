// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/files/recentfiles.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;

namespace jetscope {

/// Takes the place of a trace while none is open: what can be opened, or why it could not be.
class TraceStart : public QWidget {
    Q_OBJECT
public:
    explicit TraceStart(QWidget *parent = nullptr);

    void showIdle();
    void showOpening(const QString &what);
    void showError(const QString &title, const QString &text);
    /// What was opened before, below.
    void showRecent(const QList<RecentFiles::Entry> &entries);

signals:
    void openWanted();
    void inspectWanted();
    void retryWanted();
    void recentWanted(const QString &path);

private:
    QPushButton *makeButton(const char *objectName, const QString &text, const QString &help);
    void showButtons(bool shown, bool retry);

    QLabel *m_title;
    QLabel *m_text;
    QPushButton *m_open;
    QPushButton *m_inspect;
    QPushButton *m_retry;
    QListWidget *m_recent;
};

} // namespace jetscope
