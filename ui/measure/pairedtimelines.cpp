// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/pairedtimelines.h"

#include "ui/session/traceselection.h"
#include "ui/style/layouts.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"

#include <QLabel>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kAbove = 0;
constexpr std::size_t kBelow = 1;
constexpr int kFramesShown = 3;
constexpr std::uint64_t kFirstFrames = 10; ///< Less typical than later ones.

std::size_t otherOf(std::size_t row)
{
    return row == kAbove ? kBelow : kAbove;
}

/// The frame whose start is nearest to a time.
std::optional<std::int64_t> nearestStart(const FrameTable &frames, std::int64_t ns)
{
    if (frames.empty())
        return std::nullopt;
    const std::uint64_t at = std::clamp(frames.range(ns, ns + 1).first, frames.firstIndex(), frames.endIndex() - 1);
    std::int64_t best = frames.at(at).startNs;
    for (const std::uint64_t near : {at > frames.firstIndex() ? at - 1 : at, std::min(at + 1, frames.endIndex() - 1)})
        if (const std::int64_t start = frames.at(near).startNs; std::abs(start - ns) < std::abs(best - ns))
            best = start;
    return best;
}

} // namespace

PairedTimelines::PairedTimelines(QWidget *parent)
    : QWidget(parent), m_column(makeInnerLayout<QVBoxLayout>(this, 1)), m_empty(new QLabel(this))
{
    setAccessibleName(tr("Timelines above each other"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setProperty("muted", true);
    m_empty->setText(tr("Pin the present as A, and its timeline appears here above that of the present choices."));
    m_column->addWidget(m_empty, 1);
}

PairedTimelines::~PairedTimelines() = default;

void PairedTimelines::makeRow(std::size_t row, const Side &side)
{
    Row &made = m_rows[row];
    made.side = side;
    made.selection = std::make_unique<TraceSelection>(*side.trace);
    made.view = std::make_unique<TimelineView>(*side.trace, *made.selection);
    made.view->setMetrics(compactMetrics());
    made.view->setMinimumHeight(fontScaled(70));
    made.title = new QLabel(made.view->viewport());
    made.title->setProperty("caption", true);
    made.title->setTextFormat(Qt::PlainText);
    made.title->setAttribute(Qt::WA_TransparentForMouseEvents);
    made.title->setGeometry(8, 0, made.view->layout().metrics.labelWidth - 10, made.view->layout().metrics.rulerHeight);
    m_column->addWidget(made.view.get(), 1);
    connect(made.view.get(), &TimelineView::viewChanged, this, [this, row] { follow(row); });
    connect(made.selection.get(), &TraceSelection::frameChosen, this, [this, row] { alignChosen(row); });
    connect(made.view->verticalScrollBar(), &QScrollBar::valueChanged, this, [this, row](int value) {
        if (TimelineView *other = m_rows[otherOf(row)].view.get())
            other->verticalScrollBar()->setValue(value);
    });
}

void PairedTimelines::show(const Side &above, const Side &below)
{
    clear();
    m_empty->hide();
    {
        const QScopedValueRollback moving(m_moving, true);
        makeRow(kAbove, above);
        makeRow(kBelow, below);
        setTitles(above.title, below.title);
        for (Row &row : m_rows)
            row.view->restart(row.side.live);
    }
    setTabOrder(m_rows[kAbove].view.get(), m_rows[kBelow].view.get());
    if (isVisible())
        place();
}

/// Views without a width cannot be aligned.
void PairedTimelines::place()
{
    m_placed = true;
    m_column->activate();
    alignNewest();
}

void PairedTimelines::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (!m_placed && !isEmpty())
        place();
}

void PairedTimelines::setTitles(const QString &above, const QString &below)
{
    if (isEmpty())
        return;
    m_rows[kAbove].side.title = above;
    m_rows[kBelow].side.title = below;
    for (const std::size_t row : {kAbove, kBelow})
        showTitle(row);
}

void PairedTimelines::showTitle(std::size_t row)
{
    const Row &shown = m_rows[row];
    const QString &title = shown.side.title;
    if (shown.view->accessibleName().endsWith(title) && !shown.title->text().isEmpty())
        return;
    shown.title->setText(shown.title->fontMetrics().elidedText(title, Qt::ElideRight, shown.title->width()));
    shown.view->setAccessibleName(tr("Timeline of %1").arg(title));
    shown.view->setToolTip(title);
}

void PairedTimelines::clear()
{
    m_aligned.reset();
    m_placed = false;
    for (Row &row : m_rows) {
        row.view.reset(); // Before its selection.
        row.selection.reset();
        row.title = nullptr;
    }
    m_empty->setVisible(true);
}

void PairedTimelines::refresh()
{
    if (isEmpty())
        return;
    for (const Row &row : m_rows)
        row.view->refresh();
    if (!m_aligned && m_placed)
        alignNewest();
}

/// Some frames of both, from a typical frame of the upper one on.
void PairedTimelines::alignNewest()
{
    const FrameTable &a = m_rows[kAbove].side.trace->frames();
    const FrameTable &b = m_rows[kBelow].side.trace->frames();
    if (a.empty() || b.empty())
        return;
    const auto typical = [](const FrameTable &frames) {
        const std::uint64_t count = frames.endIndex() - frames.firstIndex();
        return frames.firstIndex() + std::min(kFirstFrames, count / 2);
    };
    const FrameFigures first = a.at(typical(a));
    const FrameFigures second = b.at(typical(b));
    m_aligned = {first.startNs, second.startNs};
    if (m_rows[kBelow].side.live) {
        m_rows[kBelow].view->follow();
        return follow(kBelow);
    }
    const std::int64_t span = kFramesShown * std::max({first.periodNs(), second.periodNs(), std::int64_t{1}});
    m_rows[kAbove].view->show({first.startNs, first.startNs + span});
    follow(kAbove);
}

/// Frames that were selected by a click or with the keys.
void PairedTimelines::alignChosen(std::size_t row)
{
    const auto &chosen = m_rows[row].selection->frame();
    if (!chosen || !chosen->index || !m_aligned)
        return;
    const std::size_t other = otherOf(row);
    const std::int64_t start = chosen->period.startNs;
    const auto &theirs = m_rows[other].selection->frame();
    const std::optional<std::int64_t> match = theirs && theirs->index
        ? std::optional(theirs->period.startNs)
        : nearestStart(m_rows[other].side.trace->frames(), (*m_aligned)[other] + (start - (*m_aligned)[row]));
    if (!match)
        return;
    (*m_aligned)[row] = start;
    (*m_aligned)[other] = *match;
    follow(row);
}

/// Moves the other view so that the aligned frames begin at the same pixel.
void PairedTimelines::follow(std::size_t leader)
{
    if (m_moving || !m_aligned || isEmpty())
        return;
    const QScopedValueRollback moving(m_moving, true);
    const std::size_t other = otherOf(leader);
    TimelineCamera &from = m_rows[leader].view->camera();
    if (from.isFollowing()) {
        // The newest frames move on; the same frame of the other trace stays below or above the first one in view.
        const FrameTable &frames = m_rows[leader].side.trace->frames();
        const auto [first, last] = frames.range(from.window().startNs, from.window().endNs);
        for (std::uint64_t i = first; i < last; ++i)
            if (const std::int64_t start = frames.at(i).startNs; start >= from.window().startNs) {
                (*m_aligned)[leader] = start;
                break;
            }
    }
    const std::int64_t shift = (*m_aligned)[other] - (*m_aligned)[leader];
    TimeScale scale = from.scale();
    scale.startNs += shift;
    m_rows[other].view->camera().mirror(scale, from.rulerOriginNs() + shift);
}

} // namespace jetscope
