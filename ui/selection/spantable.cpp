// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/spantable.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

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
    while (!heap.empty() && m_rows.size() < kMostRows) {
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
