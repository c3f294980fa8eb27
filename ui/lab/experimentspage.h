// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QListWidget;
class QPushButton;
class QTextBrowser;

namespace jetscope {

/// The ready-made experiments, each with its question, what differs and how long it takes. They run in a dialog of
/// their own, because the pipeline is closed meanwhile. UI thread.
class ExperimentsPage : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentsPage(QWidget *parent = nullptr);

    QListWidget *list() const { return m_list; }
    QTextBrowser *about() const { return m_about; }
    QPushButton *button() const { return m_run; }

signals:
    void experimentWanted(const QString &name);

private:
    QString name() const;
    void describe();

    QListWidget *m_list;
    QTextBrowser *m_about;
    QPushButton *m_run;
};

} // namespace jetscope
