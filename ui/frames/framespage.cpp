// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/frames/framespage.h"

#include "core/path/tracepaths.h"
#include "core/trace/tracefigures.h"
#include "ui/frames/framesview.h"
#include "ui/session/traceselection.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QTreeWidget>

namespace jetscope {

namespace {

constexpr std::size_t kListed = 20;
constexpr qint64 kListEveryMs = 1000; ///< Rows of a list that is updated more often are hard to click.
constexpr int kListWidth = 470;
/// Limit for following a critical path: the list is built on the UI thread. Frames with more spans get no cause.
constexpr std::uint64_t kMaxSpansFollowed = 2048;

enum FramesColumn { Frame, Period, Blocked, OverlapShare, Mostly };

} // namespace

FramesPage::FramesPage(const Trace &trace, TraceSelection &selection, QWidget *parent)
    : QWidget(parent),
      m_trace(trace),
      m_selection(selection),
      m_view(new FramesView(trace, selection)),
      m_worst(new QTreeWidget)
{
    m_worst->setAccessibleName(tr("Longest frames"));
    m_worst->setToolTip(tr("The frames with the longest periods; click one to select it, double click to see it on the "
                           "timeline"));
    m_worst->setHeaderLabels({tr("Longest"), tr("period"), tr("blocked"), tr("overlap"), tr("mostly")});
    m_worst->headerItem()->setToolTip(
        Mostly, tr("mostly: the largest share of the critical path since the completion of the previous frame"));
    m_worst->setRootIsDecorated(false);
    m_worst->setUniformRowHeights(true);
    m_worst->setMaximumWidth(scaledToFont(*m_worst, kListWidth)); // Half of a narrow window remains for the bars.
    m_worst->setMinimumWidth(kListWidth / 3);
    m_worst->header()->setStretchLastSection(false);
    m_worst->header()->setSectionResizeMode(Mostly, QHeaderView::Stretch);
    m_worst->header()->setSectionResizeMode(Frame, QHeaderView::Fixed);
    m_worst->header()->resizeSection(Frame, scaledToFont(*m_worst, 92));
    for (const int column : {Period, Blocked, OverlapShare}) {
        m_worst->header()->setSectionResizeMode(column, QHeaderView::Fixed);
        m_worst->header()->resizeSection(column, scaledToFont(*m_worst, 66));
        m_worst->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    auto *row = makeInnerLayout<QHBoxLayout>(this, 0);
    row->addWidget(m_view, 1);
    row->addWidget(m_worst, 1);
    const auto frameOf = [](const QTreeWidgetItem *item) { return item->data(Frame, Qt::UserRole).toULongLong(); };
    connect(m_view, &FramesView::chosen, this, &FramesPage::choose);
    connect(m_view, &FramesView::opened, this, &FramesPage::opened);
    connect(m_worst, &QTreeWidget::currentItemChanged, this, [this, frameOf](const QTreeWidgetItem *item) {
        if (item)
            choose(frameOf(item));
    });
    connect(m_worst, &QTreeWidget::itemActivated, this,
            [this, frameOf](const QTreeWidgetItem *item) { emit opened(frameOf(item)); });
}

void FramesPage::choose(std::uint64_t frame)
{
    if (frame < m_trace.frames().firstIndex() || frame >= m_trace.frames().endIndex())
        return; // Discarded from the trace meanwhile.
    m_selection.selectFrame(frame);
    emit chosen(frame);
}

void FramesPage::refresh()
{
    m_view->refresh();
    if (isVisible() && (!m_listed.isValid() || m_listed.elapsed() > kListEveryMs))
        listWorst();
}

void FramesPage::restart(bool live)
{
    m_view->restart(live);
    listWorst();
}

void FramesPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    listWorst();
}

/// "kernel gaussian15 62 %"; empty while spans of the frame may still be missing, or if it has too many.
std::optional<QString> FramesPage::mostly(TracePaths &paths, std::uint64_t frame) const
{
    const FrameTable &frames = m_trace.frames();
    const FrameFigures newest = frames.at(frames.endIndex() - 1);
    const Interval time = paths.frameAt(frame).time;
    std::vector<PathPiece> pieces;
    if (time.endNs <= newest.startNs + newest.periodNs() && spansWithin(m_trace, time) <= kMaxSpansFollowed)
        paths.follow(frame, frame + 1, pieces);
    PathSums sums;
    sums.add(pieces);
    const PathSummary path = paths.summary(sums);
    if (path.empty())
        return std::nullopt;
    return tr("%1 %2").arg(toQString(path.shares.front().what), percentText(path.shares.front().share));
}

void FramesPage::listWorst()
{
    m_listed.start();
    const FrameTable &frames = m_trace.frames();
    TracePaths paths(m_trace, kMaxSpansFollowed);
    const auto worst = frames.longest(frames.firstIndex(), frames.endIndex(), kListed);
    const QSignalBlocker quiet(m_worst); // Rebuilding the list must not emit a selection.
    const auto *current = m_worst->currentItem();
    const quint64 chosen = current ? current->data(Frame, Qt::UserRole).toULongLong() : ~quint64{0};
    m_worst->clear();
    for (const std::uint64_t index : worst) {
        const FrameFigures figures = frames.at(index);
        const std::optional<QString> cause = mostly(paths, index);
        auto *item = new QTreeWidgetItem(m_worst,
                                         {tr("frame %1").arg(m_trace.frameNumber(figures.frame)),
                                          durationText(figures.periodNs()), durationText(figures.blockedNs()),
                                          overlapText(figures.overlap), cause.value_or(QStringLiteral("–"))});
        item->setToolTip(OverlapShare, toQString(overlapReasonIn(m_trace, figures.overlap)));
        item->setToolTip(Mostly,
                         cause.value_or(tr("not followed here; \"Where the time goes\" has the path of the frame")));
        item->setData(Frame, Qt::UserRole, static_cast<qulonglong>(index));
        for (const int column : {Period, Blocked, OverlapShare})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        if (index == chosen)
            m_worst->setCurrentItem(item);
    }
}

} // namespace jetscope
