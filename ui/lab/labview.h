// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/live/camerawatch.h"

#include <QWidget>

class QListWidget;
class QStackedWidget;

namespace jetscope {

class CamerasPage;
class ExperimentsPage;
class LatencyPage;
class LossPage;
class ProbePage;
class Session;
class StampsPage;

/// One place for measuring that is not a trace: a list of what can be measured, and the page of the chosen one. UI
/// thread.
class LabView : public QWidget {
    Q_OBJECT
public:
    /// `live` has the pipeline that is measured, and outlives this.
    /// `cameras` lists those of the machine that the pipeline runs on.
    LabView(Session &live, CameraWatch::Lister cameras, QWidget *parent = nullptr);

    /// A page, below the title of its group.
    void addPage(const QString &group, const QString &title, QWidget *page);
    /// The last result of a page, beside its title in the list.
    void setResult(QWidget *page, const QString &result);
    void showPage(QWidget *page);
    QWidget *page() const;
    LatencyPage *latency() const { return m_latency; }
    LossPage *losses() const { return m_losses; }
    StampsPage *stamps() const { return m_stamps; }
    CamerasPage *cameras() const { return m_cameras; }
    ExperimentsPage *experiments() const { return m_experiments; }
    ProbePage *probe() const { return m_probe; }
    QListWidget *list() const { return m_list; }
    /// What is shown, in a few words.
    QString detail() const;

signals:
    void detailChanged();

private:
    CameraWatch m_cameraWatch;
    QListWidget *m_list;
    QStackedWidget *m_pages;
    LatencyPage *m_latency;
    LossPage *m_losses;
    StampsPage *m_stamps;
    CamerasPage *m_cameras;
    ExperimentsPage *m_experiments;
    ProbePage *m_probe;
};

} // namespace jetscope
