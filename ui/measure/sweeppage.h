// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/report/sweepreport.h"

#include <QPersistentModelIndex>
#include <QWidget>

#include <memory>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace jetscope {

class HeatLegend;
class HeatView;
class ShortenedLabel;
class SweepPicker;

/// The tab of sweeps: result, heat map and progress of one sweep, and the commands that measure. Knows no file and no
/// process: the owner passes on what is read.
class SweepPage : public QWidget {
    Q_OBJECT
public:
    explicit SweepPage(QWidget *parent = nullptr);

    /// `path` is that of the file. The same path again: the file has grown, or another metric ranks it.
    void showSweep(const QString &path, std::shared_ptr<const SweepReport> report);
    /// The file cannot be read; a sweep that is shown stays.
    void showProblem(const QString &text);
    const QString &path() const { return m_path; }
    const SweepReport *report() const { return m_report.get(); }

    /// Whether measurements can begin; if not, the reason.
    void setPossible(bool possible, const QString &reason);
    /// A sweep is measured into this file, which is shown as soon as it can be read; empty: not any more.
    void setMeasuring(const QString &path);
    /// `fraction` is 0..1.
    void setProgress(double fraction, const QString &text);

    SweepPicker *picker() const { return m_picker; }
    HeatView *heatMap() const { return m_heat; }
    QString verdict() const;
    QString facts() const;
    QString problem() const;
    QString progressText() const;

signals:
    void sweepWanted();
    void tuneWanted();
    void openWanted();
    void reportWanted();
    void resumeWanted();
    void cancelWanted();
    void metricWanted(jetscope::Figure metric);
    void cellOpened(std::size_t cell, const QString &words); ///< The user wants to see the run of this cell.

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeEmpty();
    QWidget *makeShown();
    QWidget *makeRunning();
    QPushButton *makeButton(const QString &name, const QString &text, const QString &toolTip,
                            void (SweepPage::*pressed)());
    void showTable();
    void showVerdict();
    void showState();

    std::shared_ptr<const SweepReport> m_report;
    QString m_path;
    QString m_measured; ///< The file of the sweep that is being measured; empty for none.
    bool m_possible = true;
    QPersistentModelIndex m_bestIndex; ///< The cell that became the current one without the user.
    QStackedWidget *m_pages;
    QLabel *m_problem;
    SweepPicker *m_picker;
    QLabel *m_verdict;
    QString m_verdictText;
    ShortenedLabel *m_facts;
    HeatView *m_heat;
    HeatLegend *m_legend;
    QWidget *m_running = nullptr;
    QProgressBar *m_progress;
    QLabel *m_progressText;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_resume = nullptr;
    QPushButton *m_reportButton = nullptr;
    QList<QPushButton *> m_measuring; ///< Buttons that begin a measurement.
};

} // namespace jetscope
