// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QListWidget;
class QStackedWidget;

namespace jetscope {

class ExperimentsPage;
class LatencyPage;
class LossPage;
class Session;

/// One place for measuring that is not a trace: a list of what can be measured, and the page of the chosen one. UI
/// thread.
class LabView : public QWidget {
    Q_OBJECT
public:
    /// `live` has the pipeline that is measured, and outlives this.
    explicit LabView(Session &live, QWidget *parent = nullptr);

    /// A page, below the title of its group.
    void addPage(const QString &group, const QString &title, QWidget *page);
    /// The last result of a page, beside its title in the list.
    void setResult(QWidget *page, const QString &result);
    void showPage(QWidget *page);
    QWidget *page() const;
    LatencyPage *latency() const { return m_latency; }
    LossPage *losses() const { return m_losses; }
    ExperimentsPage *experiments() const { return m_experiments; }
    QListWidget *list() const { return m_list; }
    /// What is shown, in a few words.
    QString detail() const;

signals:
    void detailChanged();

private:
    QListWidget *m_list;
    QStackedWidget *m_pages;
    LatencyPage *m_latency;
    LossPage *m_losses;
    ExperimentsPage *m_experiments;
};

} // namespace jetscope
