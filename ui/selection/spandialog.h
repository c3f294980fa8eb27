// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "ui/selection/spantable.h"

#include <QDialog>

class QLabel;
class QTableView;

namespace jetscope {

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

signals:
    /// Of a row: start, lane and name of its span.
    void chosen(qint64 startNs, const QString &lane, const QString &name);

private:
    void restart();
    void choose(const QModelIndex &index);

    const Trace &m_trace;
    TraceSelection &m_selection;
    SpanTable *m_table;
    QLabel *m_title;
    QTableView *m_view;
    bool m_choosing = false; ///< The selection changes because of a row: the rows stay.
};

} // namespace jetscope
