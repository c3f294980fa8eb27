// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/rangepaths.h"
#include "core/trace/rangestatistics.h"
#include "ui/selection/figuresgrid.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace jetscope {

class HistogramView;
class NameFiguresTable;
class PathBar;
class ShortenedLabel;
class TraceSelection;

/// The selected span, and the figures of the range or frame: how CPU and GPU shared it, where its time went, what each
/// name cost, how one name's durations spread, that of the span first. Works them out a few milliseconds at a time. UI
/// thread; trace and selection outlive it.
class SelectionPanel : public QWidget {
    Q_OBJECT
public:
    SelectionPanel(const Trace &trace, TraceSelection &selection, QWidget *parent = nullptr);
    ~SelectionPanel() override;

    bool isDone() const { return m_statistics && m_statistics->done() && m_paths && m_paths->done(); }
    /// Everything that is shown, as lines of tab-separated texts.
    QString text() const;
    const NameFiguresTable &table() const { return *m_table; }
    HistogramView *histogram() const { return m_histogram; }
    PathBar *pathBar() const { return m_pathBar; }

public slots:
    void copy();
    /// Starts over with what is selected now.
    void restart();

signals:
    void finished();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void selectionChanged();
    void work();
    bool workStep();
    void showResult();
    void showHistogram();
    /// Whether it is another one.
    bool showSpan();
    void chooseRow();
    QString title() const;
    QString spanText() const;

    const Trace &m_trace;
    TraceSelection &m_selection;
    std::optional<Interval> m_time;            ///< What the statistics are about.
    std::optional<std::int64_t> m_spanStartNs; ///< Of the span that is shown.
    std::unique_ptr<RangeStatistics> m_statistics;
    std::unique_ptr<RangePaths> m_paths;
    QTimer m_timer;

    QLabel *m_title;
    ShortenedLabel *m_span; ///< Hidden where none is selected.
    QPushButton *m_copy;
    QProgressBar *m_progress;
    FiguresGrid *m_figures;
    PathBar *m_pathBar;
    NameFiguresTable *m_table;
    QTableView *m_view;
    HistogramView *m_histogram;
};

} // namespace jetscope
