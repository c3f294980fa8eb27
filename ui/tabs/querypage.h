// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/query/queryanswer.h"

#include <QWidget>

#include <memory>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableView;

namespace jetscope {

class QueryRows;
class TraceQuery;

/// Asks the trace in SQL: the text, what was found, and the way from a row to what it is about.
class QueryPage : public QWidget {
    Q_OBJECT
public:
    explicit QueryPage(QWidget *parent = nullptr);
    /// Who answers; it outlives no signal of the page.
    void setQuery(TraceQuery *query);

    QString sql() const;
    void setSql(const QString &sql);
    /// What is said of the last query.
    QString status() const;
    const QueryRows &rows() const { return *m_rows; }
    QTableView *table() const { return m_table; }
    /// A row led nowhere.
    void showMissing();

public slots:
    void run();

signals:
    void asked(const QString &sql);
    void cancelWanted();
    void chosen(const jetscope::QueryTarget &target); ///< A row was selected.
    void opened(const jetscope::QueryTarget &target); ///< It should be looked at on the timeline.

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *makeEditor();
    QWidget *makeAnswer();
    void showAnswer(const std::shared_ptr<QueryAnswer> &answer);
    void showWork(const QString &text, int most);
    QString leadsWhere(const QueryAnswer &answer) const;
    void copy();

    QPlainTextEdit *m_text;
    QPushButton *m_run;
    QPushButton *m_cancel;
    QProgressBar *m_progress;
    QLabel *m_status;
    QTableView *m_table;
    QueryRows *m_rows;
};

} // namespace jetscope
