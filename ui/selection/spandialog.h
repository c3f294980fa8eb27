// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QAbstractTableModel>
#include <QDialog>
#include <vector>

class QLabel;
class QTableView;

namespace jetscope {

/// Table model: the spans of all lanes within a time, in the order of their starts. Keeps copies, so that rows stay
/// while the trace grows; their tracks are valid until its shape changes. The trace must outlive it.
class SpanTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Start, Duration, Lane, Name, Frame, Columns };
    static constexpr std::size_t kMaxRows = 5'000; ///< The first ones; keeps the work of a long range small.

    explicit SpanTable(const Trace &trace, QObject *parent = nullptr) : QAbstractTableModel(parent), m_trace(trace) {}

    /// Starts count from the beginning of the time.
    void setTime(Interval time);
    void clear() { setTime({}); }
    const Interval &time() const { return m_time; }
    /// Further spans that were left out.
    std::uint64_t leftOut() const { return m_leftOut; }
    const TraceSpan &row(int row) const { return m_rows[static_cast<std::size_t>(row)].span; }
    QString laneOf(int row) const;
    QString nameOf(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        TraceSpan span;
        LaneId lane = 0;
        std::uint8_t depth = 0;
    };
    QString textOf(int row, int column) const;

    const Trace &m_trace;
    Interval m_time;
    std::vector<Row> m_rows;
    std::uint64_t m_leftOut = 0;
};

class TraceSelection;

/// The timeline as a table: the spans within the selected range, frame or span, or else within the newest frame.
/// Follows the selection. UI thread; trace and selection must outlive it.
class SpanDialog : public QDialog {
    Q_OBJECT
public:
    SpanDialog(const Trace &trace, TraceSelection &selection, QWidget *parent = nullptr);

    const SpanTable &table() const { return *m_table; }
    QTableView *view() const { return m_view; }
    QString title() const;
    /// The trace was replaced: the rows are of the one before.
    void restart();

signals:
    /// Of a row: start, lane and name of its span.
    void chosen(qint64 startNs, const QString &lane, const QString &name);

private:
    void choose(const QModelIndex &index);

    const Trace &m_trace;
    TraceSelection &m_selection;
    SpanTable *m_table;
    QLabel *m_title;
    QTableView *m_view;
    bool m_choosing = false; ///< The selection changes because of a row: the rows stay.
};

} // namespace jetscope
