// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/spandialog.h"

#include "ui/session/traceselection.h"
#include "ui/style/text.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace jetscope {

namespace {

constexpr int kListWidth = 44; ///< Size in heights of a line.
constexpr int kListHeight = 30;

/// The newest frame whose figures are final; the whole trace if there is none.
Interval newestTime(const Trace &trace)
{
    const FrameTable &frames = trace.frames();
    if (frames.firstIndex() == frames.endIndex())
        return trace.empty() ? Interval{} : Interval{trace.oldestNs(), trace.newestNs() + 1};
    const FrameFigures newest = frames.at(frames.endIndex() - 1);
    return {newest.startNs, newest.startNs + newest.periodNs()};
}

} // namespace

SpanDialog::SpanDialog(const Trace &trace, TraceSelection &selection, QWidget *parent)
    : QDialog(parent),
      m_trace(trace),
      m_selection(selection),
      m_table(new SpanTable(trace, this)),
      m_title(new QLabel),
      m_view(new QTableView)
{
    setWindowTitle(tr("Spans as a table"));
    m_title->setWordWrap(true);
    m_view->setModel(m_table);
    m_view->setAccessibleName(tr("Spans"));
    m_view->setTabKeyNavigation(false); // Tab leaves the table; arrows move in it.
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setToolTip(tr("Enter or a double click shows the span on the timeline"));
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setSectionResizeMode(SpanTable::Name, QHeaderView::Stretch);
    m_view->setColumnWidth(SpanTable::Lane, 10 * fontMetrics().height());
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setIcon(QIcon());
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false); // Enter is for the table.
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_view, &QTableView::activated, this, &SpanDialog::choose);
    connect(&m_selection, &TraceSelection::changed, this, &SpanDialog::restart);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_title);
    column->addWidget(m_view, 1);
    column->addWidget(buttons);
    resize(kListWidth * fontMetrics().height(), kListHeight * fontMetrics().height());
    restart();
    m_view->setFocus();
}

QString SpanDialog::title() const
{
    return m_title->text();
}

void SpanDialog::restart()
{
    if (m_choosing)
        return;
    const std::optional<Interval> selected = m_selection.time();
    m_table->setTime(selected.value_or(newestTime(m_trace)));
    const int rows = m_table->rowCount();
    const std::int64_t lengthNs = m_table->time().endNs - m_table->time().startNs;
    QString text;
    if (rows == 0)
        text = tr("There are no spans here. Run a pipeline or open a capture, then select a frame on the timeline with "
                  "[ and ], or by a click.");
    else if (m_selection.frame() && !m_selection.range())
        text = tr("%1 spans within the period of frame %2 (%3). Starts count from its beginning.")
                   .arg(rows)
                   .arg(m_trace.frameNumber(m_selection.frame()->key))
                   .arg(durationText(lengthNs));
    else
        text = (selected ? tr("%1 spans within the selected %2. Starts count from its beginning.")
                         : tr("%1 spans within the newest %2; nothing is selected."))
                   .arg(rows)
                   .arg(durationText(lengthNs));
    if (m_table->leftOut() > 0)
        text += tr(" %L1 later ones are left out: select a shorter range.").arg(m_table->leftOut());
    m_title->setText(text);
    m_view->setAccessibleDescription(text);
    if (rows > 0)
        m_view->setCurrentIndex(m_table->index(0, SpanTable::Name));
}

void SpanDialog::choose(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    m_choosing = true;
    emit chosen(m_table->row(index.row()).startNs, m_table->laneOf(index.row()), m_table->nameOf(index.row()));
    m_choosing = false;
}

} // namespace jetscope
