// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/query/querypage.h"

#include "core/tracefile/tracefileschema.h"
#include "ui/query/queryrows.h"
#include "ui/query/tracequery.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"
#include "ui/timeline/timelineruler.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

constexpr int kEditorWidth = 430;
constexpr int kMaxColumnWidth = 320;

struct Example {
    const char *what;
    const char *sql;
};
constexpr std::array kExamples = {
    Example{QT_TRANSLATE_NOOP("jetscope::QueryPage", "Time of each name"),
            "SELECT category, name, count(*) AS count,\n"
            "       sum(duration_ns) / 1e6 AS total_ms,\n"
            "       avg(duration_ns) / 1e6 AS mean_ms,\n"
            "       max(duration_ns) / 1e6 AS longest_ms\n"
            "FROM spans GROUP BY category, name\n"
            "ORDER BY total_ms DESC"},
    Example{QT_TRANSLATE_NOOP("jetscope::QueryPage", "Longest spans"),
            "SELECT frame, lane, name, duration_ns / 1e6 AS ms,\n"
            "       start_ns, duration_ns\n"
            "FROM spans WHERE category NOT LIKE 'wait%'\n"
            "ORDER BY duration_ns DESC LIMIT 50"},
    Example{QT_TRANSLATE_NOOP("jetscope::QueryPage", "Longest frames"),
            "SELECT frame, period_ns / 1e6 AS period_ms,\n"
            "       frame_ns / 1e6 AS frame_ms,\n"
            "       (wait_sync_ns + wait_memory_ns) / 1e6\n"
            "           AS blocked_ms, start_ns\n"
            "FROM frames ORDER BY period_ns DESC LIMIT 50"},
    Example{QT_TRANSLATE_NOOP("jetscope::QueryPage", "Where the period goes"),
            "SELECT cause, name, lane,\n"
            "       count(DISTINCT frame) AS frames,\n"
            "       sum(duration_ns) / 1e6 AS total_ms\n"
            "FROM frame_path GROUP BY cause, name, lane\n"
            "ORDER BY total_ms DESC"},
    Example{QT_TRANSLATE_NOOP("jetscope::QueryPage", "Switches, hazards and other marks"),
            "SELECT kind, frame, text, fix, time_ns\n"
            "FROM marks ORDER BY time_ns"},
};

} // namespace

QueryPage::QueryPage(QWidget *parent)
    : QWidget(parent),
      m_text(new QPlainTextEdit),
      m_run(new QPushButton(tr("Run"))),
      m_cancel(new QPushButton(tr("Cancel"))),
      m_progress(new QProgressBar),
      m_status(new QLabel),
      m_table(new QTableView),
      m_rows(new QueryRows(this))
{
    setObjectName(QStringLiteral("queryPage"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 8, 6);
    row->setSpacing(12);
    row->addWidget(makeEditor(), 1);
    row->addWidget(makeAnswer(), 1);
    auto *keys = new QShortcut(QKeySequence::Copy, m_table);
    keys->setContext(Qt::WidgetShortcut);
    connect(keys, &QShortcut::activated, this, &QueryPage::copy);
    connect(m_run, &QPushButton::clicked, this, &QueryPage::run);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_cancel->setEnabled(false);
        emit cancelWanted();
    });
    const auto targetAt = [this](const QModelIndex &index) {
        return index.isValid() ? targetOf(*m_rows->answer(), static_cast<std::size_t>(index.row())) : QueryTarget();
    };
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, targetAt](const QModelIndex &index) {
                if (const QueryTarget target = targetAt(index); !target.isEmpty())
                    emit chosen(target);
            });
    connect(m_table, &QTableView::activated, this, [this, targetAt](const QModelIndex &index) {
        if (const QueryTarget target = targetAt(index); !target.isEmpty())
            emit opened(target);
    });
    setSql(QString::fromUtf8(kExamples.front().sql));
}

QWidget *QueryPage::makeEditor()
{
    m_text->setAccessibleName(tr("SQL query"));
    m_text->setFont(fixedFont());
    m_text->setTabChangesFocus(true);
    m_text->setToolTip(tr("One SELECT over the tables %1; times are nanoseconds")
                           .arg(QString::fromUtf8(kTraceFileTableNames.data(), kTraceFileTableNames.size())));
    m_text->installEventFilter(this);
    m_run->setToolTip(tr("Runs the query on the trace (Ctrl+Enter)"));
    m_cancel->setToolTip(tr("Stops the query"));
    m_cancel->setEnabled(false);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(3);
    auto *examples = new QPushButton(tr("Examples"));
    examples->setToolTip(tr("Example queries"));
    auto *menu = new QMenu(examples);
    for (const Example &example : kExamples)
        menu->addAction(tr(example.what), this, [this, sql = QString::fromUtf8(example.sql)] {
            setSql(sql);
            run();
        });
    examples->setMenu(menu);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(examples);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_run);
    auto *editor = new QWidget;
    editor->setMaximumWidth(kEditorWidth); // Half of a narrow window remains for the rows.
    auto *column = makeInnerLayout<QVBoxLayout>(editor);
    column->addWidget(m_text, 1);
    column->addLayout(buttons);
    return editor;
}

QWidget *QueryPage::makeAnswer()
{
    m_status->setObjectName(QStringLiteral("queryStatus"));
    m_status->setText(tr("Enter an SQL query and press Ctrl+Enter; the examples show how to use the tables."));
    m_status->setWordWrap(true);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setModel(m_rows);
    m_table->setAccessibleName(tr("Result of the query"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->horizontalHeader()->setHighlightSections(false);
    auto *answer = new QWidget;
    auto *column = makeInnerLayout<QVBoxLayout>(answer, 4);
    column->addWidget(m_status);
    column->addWidget(m_progress);
    column->addWidget(m_table, 1);
    return answer;
}

void QueryPage::setQuery(TraceQuery *query)
{
    connect(this, &QueryPage::asked, query, &TraceQuery::ask);
    connect(this, &QueryPage::cancelWanted, query, &TraceQuery::cancel);
    connect(query, &TraceQuery::started, this, [this] {
        m_rows->setAnswer(nullptr);
        m_run->setEnabled(false);
        m_cancel->setEnabled(true);
        showWork(tr("Preparing the trace for queries…"), 1000);
    });
    connect(query, &TraceQuery::preparing, this,
            [this](double part) { m_progress->setValue(static_cast<int>(part * 1000)); });
    connect(query, &TraceQuery::asking, this, [this] { showWork(tr("The query is running…"), 0); });
    connect(query, &TraceQuery::answered, this, &QueryPage::showAnswer);
}

/// `most`: end of the progress range; 0 for unknown progress.
void QueryPage::showWork(const QString &text, int most)
{
    m_status->setText(text);
    m_progress->setRange(0, most);
    m_progress->setValue(0);
}

QString QueryPage::sql() const
{
    return m_text->toPlainText();
}

void QueryPage::setSql(const QString &sql)
{
    m_text->setPlainText(sql);
}

QString QueryPage::status() const
{
    return m_status->text();
}

void QueryPage::run()
{
    if (!m_mayRun || m_mayRun())
        emit asked(sql());
}

void QueryPage::showAnswer(const std::shared_ptr<QueryAnswer> &answer)
{
    showWork({}, 1000);
    m_run->setEnabled(true);
    m_cancel->setEnabled(false);
    m_rows->setAnswer(answer);
    m_table->resizeColumnsToContents();
    for (int column = 0; column < m_rows->columnCount(); ++column)
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), kMaxColumnWidth));
    const auto rows = static_cast<qulonglong>(answer->rows.size());
    if (answer->isCancelled)
        m_status->setText(tr("The query was cancelled after %L1 rows.").arg(rows));
    else if (!answer->error.isEmpty())
        m_status->setText(answer->error.at(0).toUpper() + answer->error.mid(1)
                          + (answer->error.endsWith(u'.') ? QString() : QStringLiteral(".")));
    else if (answer->isCut)
        m_status->setText(
            tr("The first %L1 rows are shown, and there are more: narrow the query with WHERE or LIMIT, or take all "
               "with \"jetscope query\".")
                .arg(rows)
            + leadsWhere(*answer));
    else
        m_status->setText(tr("%L1 rows in %2.").arg(rows).arg(durationText(answer->tookNs)) + leadsWhere(*answer));
}

QString QueryPage::leadsWhere(const QueryAnswer &answer) const
{
    const bool leads = std::any_of(answer.columns.begin(), answer.columns.end(), [](const QString &column) {
        return column == QLatin1String("frame") || column == QLatin1String("start_ns")
            || column == QLatin1String("time_ns");
    });
    return leads && !answer.rows.empty() ? tr(" Double-click a row to show it on the timeline.") : QString();
}

void QueryPage::showMissing()
{
    m_status->setText(
        tr("The span or frame of this row is not in the shown trace: it was discarded, or another trace is open."));
}

/// Copies the selected rows with a header line of column names.
void QueryPage::copy()
{
    if (!m_rows->answer())
        return;
    QStringList lines{m_rows->answer()->columns.join(u'\t')};
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < m_rows->columnCount(); ++column)
            cells.append(m_rows->wholeText(m_rows->index(index.row(), column)));
        lines.append(cells.join(u'\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(u'\n') + u'\n');
}

/// Ctrl+Enter runs the query; Enter alone inserts a line break.
bool QueryPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_text || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!enter || !key->modifiers().testFlag(Qt::ControlModifier))
        return QWidget::eventFilter(watched, event);
    run();
    return true;
}

} // namespace jetscope
