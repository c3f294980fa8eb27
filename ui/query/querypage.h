// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/query/queryanswer.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <utility>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableView;

namespace jetscope {

class QueryRows;
class TraceQuery;

/// SQL queries on the trace: editor, result rows, and navigation from a row to the span, time or frame that it refers
/// to.
class QueryPage : public QWidget {
    Q_OBJECT
public:
    explicit QueryPage(QWidget *parent = nullptr);
    /// Connects the page to the query engine, which must live as long as the page emits signals.
    void setQuery(TraceQuery *query);

    /// A query runs only while `mayRun` is true.
    void setGate(std::function<bool()> mayRun) { m_mayRun = std::move(mayRun); }

    QString sql() const;
    void setSql(const QString &sql);
    /// Status text of the last query.
    QString status() const;
    const QueryRows &rows() const { return *m_rows; }
    QTableView *table() const { return m_table; }
    /// Reports that a row refers to nothing in the trace.
    void showMissing();

public slots:
    void run();

signals:
    void asked(const QString &sql);
    void cancelWanted();
    void chosen(const jetscope::QueryTarget &target); ///< The user selected a row.
    void opened(const jetscope::QueryTarget &target); ///< The user wants to see its target on the timeline.

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *makeEditor();
    QWidget *makeAnswer();
    void showAnswer(const std::shared_ptr<QueryAnswer> &answer);
    void showWork(const QString &text, int most);
    QString leadsWhere(const QueryAnswer &answer) const;
    void copy();

    std::function<bool()> m_mayRun;
    QPlainTextEdit *m_text;
    QPushButton *m_run;
    QPushButton *m_cancel;
    QProgressBar *m_progress;
    QLabel *m_status;
    QTableView *m_table;
    QueryRows *m_rows;
};

} // namespace jetscope
