// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/spandialog.h"

#include "ui/session/traceselection.h"
#include "ui/style/readablesize.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

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

/// The next span of a track.
struct Next {
    std::int64_t startNs = 0;
    std::size_t track = 0;
    std::uint64_t index = 0;
    std::uint64_t end = 0;
};

/// For a heap with the earliest on top; the tracks are in display order.
bool isLater(const Next &a, const Next &b)
{
    return a.startNs != b.startNs ? a.startNs > b.startNs : a.track > b.track;
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
    new ReadableSize(*this);
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
    const QString spans = countText(static_cast<std::uint64_t>(rows), tr("1 span"), tr("%1 spans"));
    QString text;
    if (rows == 0)
        text = tr("There are no spans here. Run a pipeline or open a capture, then select a frame on the timeline with "
                  "[ and ], or by a click.");
    else if (m_selection.frame() && !m_selection.range())
        text = tr("%1 within the period of frame %2 (%3). Starts count from its beginning.")
                   .arg(spans)
                   .arg(m_trace.frameNumber(m_selection.frame()->key))
                   .arg(durationText(lengthNs));
    else
        text = (selected ? tr("%1 within the selected %2. Starts count from its beginning.")
                         : tr("%1 within the newest %2; nothing is selected."))
                   .arg(spans)
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

/// Merges the tracks, so that the work depends on tracks and rows and not on the spans within the time.
void SpanTable::setTime(Interval time)
{
    beginResetModel();
    m_time = time;
    m_rows.clear();
    m_leftOut = 0;
    std::vector<Next> heap;
    std::uint64_t all = 0;
    const std::vector<SpanTrack> &tracks = m_trace.tracks();
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const auto [first, last] = tracks[i].range(time.startNs, time.endNs);
        if (first < last)
            heap.push_back({tracks[i].at(first).startNs, i, first, last});
        all += last - first;
    }
    std::make_heap(heap.begin(), heap.end(), isLater);
    while (!heap.empty() && m_rows.size() < kMaxRows) {
        std::pop_heap(heap.begin(), heap.end(), isLater);
        Next &next = heap.back();
        const SpanTrack &track = tracks[next.track];
        m_rows.push_back({track.at(next.index), track.lane(), track.depth()});
        if (++next.index == next.end) {
            heap.pop_back();
        } else {
            next.startNs = track.at(next.index).startNs;
            std::push_heap(heap.begin(), heap.end(), isLater);
        }
    }
    m_leftOut = all - m_rows.size();
    endResetModel();
}

QString SpanTable::laneOf(int row) const
{
    const LaneInfo *lane = m_trace.lane(m_rows[static_cast<std::size_t>(row)].lane);
    return lane ? toQString(lane->name) : QString();
}

QString SpanTable::nameOf(int row) const
{
    return toQString(m_trace.names().text(this->row(row).name));
}

int SpanTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SpanTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QString SpanTable::textOf(int row, int column) const
{
    const TraceSpan &span = this->row(row);
    switch (column) {
    case Start: {
        const std::int64_t since = span.startNs - m_time.startNs;
        return since < 0 ? u'−' + durationText(-since) : durationText(since);
    }
    case Duration:
        return durationText(span.durationNs);
    case Lane: {
        // Spans inside others are on rows of their own.
        const int depth = m_rows[static_cast<std::size_t>(row)].depth;
        return depth == 0 ? laneOf(row) : tr("%1, depth %2").arg(laneOf(row)).arg(depth);
    }
    case Name:
        return nameOf(row);
    default:
        return span.frame == kNoFrame ? QString() : QString::number(m_trace.frameNumber(span.frame));
    }
}

QVariant SpanTable::data(const QModelIndex &index, int role) const
{
    const bool isText = index.column() == Lane || index.column() == Name;
    const Category category = m_trace.names().category(row(index.row()).name);
    switch (role) {
    case Qt::DisplayRole:
        return textOf(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DecorationRole:
        return index.column() == Name ? barColors(category, theme()).fill : QVariant();
    case Qt::ToolTipRole:
        return index.column() == Name ? tr("%1 (%2)").arg(nameOf(index.row()), toQString(categoryName(category)))
                                      : QVariant();
    case Qt::AccessibleTextRole:
        // A screen reader that reads a cell names its column, too.
        return headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString() + u' '
            + textOf(index.row(), index.column());
    default:
        return {};
    }
}

QVariant SpanTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const std::array<QString, Columns> titles = {tr("Start"), tr("Duration"), tr("Lane"), tr("Name"), tr("Frame")};
    return titles[static_cast<std::size_t>(section)];
}

} // namespace jetscope
