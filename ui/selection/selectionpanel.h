// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/figurewish.h"
#include "ui/selection/figuresgrid.h"
#include "ui/session/figureswork.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;

namespace jetscope {

class HistogramView;
class NameFiguresTable;
class NameFiguresView;
class ShortenedLabel;
class TraceSelection;

/// The selected span and the figures of the selected range or frame: how CPU and GPU shared the time, the cost per
/// name, and the duration histogram of one name, initially that of the span. Computed in steps of a few milliseconds,
/// or by the board that has the spans. UI thread; trace and selection must outlive it.
class SelectionPanel : public QWidget {
    Q_OBJECT
public:
    static constexpr int kWholeWidth = 494; ///< Enough for all columns and for readable names.

    SelectionPanel(const Trace &trace, TraceSelection &selection, QWidget *parent = nullptr);
    ~SelectionPanel() override;

    bool isDone() const { return m_report.has_value(); }
    /// All displayed values as tab-separated lines.
    QString text() const;
    const NameFiguresTable &table() const { return *m_table; }
    HistogramView *histogram() const { return m_histogram; }

public slots:
    void copy();
    /// Restarts with the current selection.
    void restart();

signals:
    void finished();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void selectionChanged();
    void work();
    void finish(RangeReport report);
    void showHistogram();
    /// Updates the span line; true if the span changed.
    bool showSpan();
    void chooseRow();
    QString title() const;
    QString spanText() const;
    QString machineText() const;

    const Trace &m_trace;
    TraceSelection &m_selection;
    std::optional<Interval> m_time;                ///< Interval of the statistics.
    std::optional<std::int64_t> m_spanStartNs;     ///< Start of the displayed span.
    std::unique_ptr<RangeStatistics> m_statistics; ///< Null if the board counts.
    FiguresWork m_far;
    std::optional<RangeReport> m_report; ///< The result; of a trace that is here without histograms.
    QTimer m_timer;

    QLabel *m_title;
    ShortenedLabel *m_span;    ///< Hidden if no span is selected.
    ShortenedLabel *m_machine; ///< What changed in the machine around it; hidden if its counters are unknown.
    QPushButton *m_copy;
    QProgressBar *m_progress;
    FiguresGrid *m_figures;
    NameFiguresTable *m_table;
    NameFiguresView *m_view = nullptr;
    HistogramView *m_histogram;
};

} // namespace jetscope
