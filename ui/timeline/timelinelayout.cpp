// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinelayout.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/lanekeys.h"
#include "ui/timeline/timescale.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <iterator>

namespace jetscope {

namespace {

QString laneText(const char *text)
{
    return QCoreApplication::translate("jetscope::Timeline", text);
}

std::size_t placeOf(RowGroup group)
{
    return static_cast<std::size_t>(group);
}

/// Rows of the lanes of one group, each with its depths.
std::vector<TimelineRow> laneRows(const Trace &trace, RowGroup group)
{
    std::vector<TimelineRow> rows;
    std::optional<LaneId> previous;
    const auto &tracks = trace.tracks();
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const LaneInfo *info = trace.lane(tracks[i].lane());
        const LaneRole role = info ? info->role : LaneRole::Tool;
        if (rowGroupOf(role) != group)
            continue;
        if (previous != tracks[i].lane()) {
            previous = tracks[i].lane();
            TimelineRow row;
            row.group = group;
            row.role = role;
            row.lane = tracks[i].lane();
            row.label = info ? toQString(info->name) : laneText("Unknown lane");
            row.detail = info ? toQString(info->detail) : QString();
            rows.push_back(row);
        }
        rows.back().tracks.push_back(i);
    }
    return rows;
}

std::vector<TimelineRow> counterRows(const Trace &trace)
{
    std::vector<TimelineRow> rows;
    for (std::size_t i = 0; i < trace.counters().size(); ++i) {
        const CounterInfo &info = trace.counters()[i].info();
        if (isUncertainty(info))
            continue;
        TimelineRow row;
        row.kind = TimelineRow::Kind::Counter;
        row.group = RowGroup::Counters;
        row.label = toQString(info.name);
        row.detail = toQString(info.unit);
        row.counter = i;
        rows.push_back(row);
    }
    return rows;
}

TimelineRow idleRow(const TimelineRow &stream, const std::shared_ptr<const IdleLane> &idle)
{
    TimelineRow row;
    row.kind = TimelineRow::Kind::Idle;
    row.group = stream.group;
    row.role = stream.role;
    row.lane = stream.lane;
    row.label = laneText("Idle, and why");
    row.detail = laneText("%1 in gaps from %2").arg(durationText(idle->ns), durationText(GpuTimes::kShortGapNs));
    row.idle = idle;
    return row;
}

/// Puts each idle lane below the last lane of its GPU; those of GPUs that have no lane here remain.
void addIdleRows(const Trace &trace, std::vector<TimelineRow> &rows, IdleLanes::Lanes &idle)
{
    std::erase_if(idle, [&](const std::shared_ptr<const IdleLane> &lane) {
        const auto last = std::find_if(rows.rbegin(), rows.rend(), [&](const TimelineRow &row) {
            const LaneInfo *info = trace.lane(row.lane);
            return row.kind == TimelineRow::Kind::Lane && info && (!lane->gpu || info->gpu == lane->gpu);
        });
        if (last == rows.rend())
            return false;
        const TimelineRow row = idleRow(*last, lane);
        rows.insert(last.base(), row);
        return true;
    });
}

/// In a trace that another program made, nothing is Jetscope's.
QString headingText(RowGroup group, const TraceOrigin &origin)
{
    switch (group) {
    case RowGroup::CpuThreads:
        return laneText("CPU threads");
    case RowGroup::CudaStreams:
        return laneText("CUDA streams");
    case RowGroup::Engines:
        return laneText("Engines");
    case RowGroup::GlQueues:
        return laneText("GL queues");
    case RowGroup::Tool:
        return isOwnTrace(origin) ? laneText("Jetscope itself") : laneText("Other lanes");
    case RowGroup::Counters:
        return laneText("Counters");
    }
    return {};
}

/// "2 threads"; "1 of 2 threads" if others are not shown.
QString countText(RowGroup group, int shown, int all)
{
    const char *const one = group == RowGroup::CpuThreads ? "1 thread"
        : group == RowGroup::CudaStreams                  ? "1 stream"
        : group == RowGroup::Counters                     ? "1 counter"
                                                          : "1 lane";
    const char *const many = group == RowGroup::CpuThreads ? "%1 threads"
        : group == RowGroup::CudaStreams                   ? "%1 streams"
        : group == RowGroup::Counters                      ? "%1 counters"
                                                           : "%1 lanes";
    const QString whole = all == 1 ? laneText(one) : laneText(many).arg(all);
    return shown == all ? whole : laneText("%1 of %2").arg(shown).arg(whole);
}

TimelineRow overlapRow(const TimelineMetrics &metrics)
{
    TimelineRow row;
    row.kind = TimelineRow::Kind::Overlap;
    row.label = laneText("Overlap");
    row.detail = laneText("CPU only · both · GPU only");
    row.height = metrics.rowHeight;
    return row;
}

/// Gives each row its key. Of several with the same name each has a number.
void nameRows(std::vector<TimelineRow> &rows)
{
    QHash<QString, int> known;
    for (TimelineRow &row : rows) {
        row.key = QLatin1String(rowGroupName(row.group)) + u'/' + lastingName(row.label);
        if (const int number = ++known[row.key]; number > 1)
            row.key += u'#' + QString::number(number);
    }
}

void orderRows(std::vector<TimelineRow> &rows, const LaneChoices &choices)
{
    QStringList keys;
    for (const TimelineRow &row : rows)
        keys.append(row.key);
    QHash<QString, qsizetype> places;
    for (const QString &key : choices.ordered(keys))
        places.insert(key, places.size());
    std::stable_sort(rows.begin(), rows.end(), [&places](const TimelineRow &a, const TimelineRow &b) {
        return places.value(a.key) < places.value(b.key);
    });
}

/// The name of a row's heading: of its process or GPU.
QString partName(const Trace &trace, const TimelineRow &row)
{
    const LaneInfo *info = row.kind == TimelineRow::Kind::Counter ? nullptr : trace.lane(row.lane);
    if (!info || row.group == RowGroup::Tool)
        return {};
    if (isOwnTrace(trace.origin())) // Of one program, which may use several GPUs.
        return info->gpu ? gpuOf(*info) : QString();
    return row.group == RowGroup::CpuThreads ? processOf(*info) : gpuOf(*info);
}

/// Shows the outermost levels of a lane, unless the user wants to see all.
void limitLevels(TimelineRow &row, const LaneChoices &choices, const TimelineMetrics &metrics)
{
    const auto most = static_cast<std::size_t>(std::max(1, metrics.mostLevels));
    row.foldable = row.tracks.size() > most;
    if (row.foldable && !choices.isWhole(row.key)) {
        row.deeper.assign(row.tracks.begin() + static_cast<std::ptrdiff_t>(most), row.tracks.end());
        row.tracks.resize(most);
    }
    const auto levels = static_cast<int>(row.tracks.size());
    row.height = metrics.rowHeight
        + (levels > 1 ? metrics.levelHeight - metrics.barHeight + (levels - 1) * metrics.nestedHeight : 0);
}

/// What the GPU did is in view at first: many threads of another program come behind it.
std::array<RowGroup, kRowGroups.size()> groupOrder(const Trace &trace)
{
    constexpr int kFewThreads = 4;
    std::array<RowGroup, kRowGroups.size()> order = kRowGroups;
    int threads = 0;
    std::optional<LaneId> previous;
    for (const SpanTrack &track : trace.tracks()) {
        const LaneInfo *info = trace.lane(track.lane());
        if (previous != track.lane() && info && rowGroupOf(info->role) == RowGroup::CpuThreads)
            ++threads;
        previous = track.lane();
    }
    if (threads > kFewThreads && !isOwnTrace(trace.origin())) {
        const auto isFirst = [](RowGroup group) {
            return group == RowGroup::CudaStreams || group == RowGroup::Engines || group == RowGroup::GlQueues;
        };
        std::stable_partition(order.begin(), order.end(), isFirst);
    }
    return order;
}

/// Puts the rows of a timeline together.
class LayoutBuilder {
public:
    LayoutBuilder(const Trace &trace, const LaneChoices &choices, const TimelineMetrics &metrics, IdleLanes::Lanes idle)
        : m_trace(trace), m_choices(choices), m_idle(std::move(idle))
    {
        m_layout.metrics = metrics;
        m_layout.overlap = overlapRow(metrics);
    }

    TimelineLayout build()
    {
        for (const RowGroup group : groupOrder(m_trace))
            addGroup(group);
        const QStringList &pinned = m_choices.pinned();
        std::stable_sort(m_above.begin(), m_above.end(), [&pinned](const TimelineRow &a, const TimelineRow &b) {
            return pinned.indexOf(a.key) < pinned.indexOf(b.key);
        });
        std::vector<TimelineRow> &rows = m_layout.rows;
        rows.insert(rows.begin(), std::make_move_iterator(m_above.begin()), std::make_move_iterator(m_above.end()));
        addNote();
        for (TimelineRow &row : rows) {
            row.top = m_layout.height;
            m_layout.height += row.height;
            m_layout.pinnedHeight += row.pinned ? row.height : 0;
        }
        return std::move(m_layout);
    }

private:
    void addGroup(RowGroup group)
    {
        std::vector<TimelineRow> rows = group == RowGroup::Counters ? counterRows(m_trace) : laneRows(m_trace, group);
        if (group == RowGroup::CudaStreams || group == RowGroup::GlQueues)
            addIdleRows(m_trace, rows, m_idle);
        nameRows(rows);
        QHash<QString, std::size_t> places; // Of the parts, in the order of the trace.
        QStringList names;
        if (m_layout.metrics.headingHeight > 0)
            for (TimelineRow &row : rows) {
                row.part = partName(m_trace, row);
                if (!places.contains(row.part)) {
                    places.insert(row.part, static_cast<std::size_t>(places.size()));
                    names.append(row.part);
                }
            }
        const QString title = headingText(group, m_trace.origin());
        const bool split = names.size() > 1;
        orderRows(rows, m_choices);
        std::vector<std::vector<TimelineRow>> parts(split ? static_cast<std::size_t>(names.size()) : 1);
        for (TimelineRow &row : rows) {
            std::vector<TimelineRow> &part = parts[split ? places.value(row.part) : 0];
            const QString name = QLatin1String(rowGroupName(group));
            row.part = split && !row.part.isEmpty() ? name + u':' + lastingName(row.part) : name;
            limitLevels(row, m_choices, m_layout.metrics);
            m_layout.order.append(row.key);
            part.push_back(std::move(row));
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const QString name = split ? names[static_cast<qsizetype>(i)] : QString();
            addPart(group, name.isEmpty() ? title : name, std::move(parts[i]));
        }
    }

    /// Lanes under one heading.
    void addPart(RowGroup group, const QString &title, std::vector<TimelineRow> rows)
    {
        int all = 0; // But for the pinned ones, which are elsewhere.
        std::vector<TimelineRow> shown;
        for (TimelineRow &row : rows) {
            const bool hidden = m_choices.isHidden(row.key);
            row.pinned = !hidden && m_choices.isPinned(row.key);
            const bool filtered = !hidden && !row.pinned && !m_choices.passes(row.label, row.detail);
            all += row.pinned || row.kind == TimelineRow::Kind::Idle ? 0 : 1;
            m_layout.hidden += hidden ? 1 : 0;
            m_layout.filtered += filtered ? 1 : 0;
            (hidden || filtered ? m_layout.unseen : row.pinned ? m_above : shown).push_back(std::move(row));
        }
        if (shown.empty())
            return;
        const QString key = shown.front().part;
        // What the filter finds is shown.
        const bool closed =
            m_layout.metrics.headingHeight > 0 && m_choices.filter().isEmpty() && m_choices.isFolded(key);
        if (m_layout.metrics.headingHeight > 0)
            addHeading(group, key, title, shown, closed, all);
        std::vector<TimelineRow> &place = closed ? m_layout.unseen : m_layout.rows;
        place.insert(place.end(), std::make_move_iterator(shown.begin()), std::make_move_iterator(shown.end()));
    }

    void addHeading(RowGroup group, const QString &key, const QString &title, const std::vector<TimelineRow> &rows,
                    bool closed, int all)
    {
        TimelineRow heading;
        heading.kind = TimelineRow::Kind::Heading;
        heading.group = group;
        heading.key = key;
        heading.label = title;
        const auto idle = std::count_if(rows.begin(), rows.end(),
                                        [](const TimelineRow &row) { return row.kind == TimelineRow::Kind::Idle; });
        const auto shown = static_cast<int>(std::ssize(rows) - idle);
        heading.detail = shown > 0 ? countText(group, shown, all) : QString();
        heading.collapsed = closed;
        heading.height = m_layout.metrics.headingHeight;
        for (const TimelineRow &row : rows)
            if (closed && !row.tracks.empty())
                heading.tracks.push_back(row.tracks.front());
        m_layout.rows.push_back(std::move(heading));
    }

    /// Says what is not shown, so that nobody takes the rest for everything.
    void addNote()
    {
        TimelineRow note;
        note.kind = TimelineRow::Kind::Note;
        note.label = unseenText(m_layout);
        note.detail = laneText("Show all lanes");
        note.key = QStringLiteral("unseen");
        note.height = m_layout.metrics.rowHeight;
        if (!note.label.isEmpty())
            m_layout.rows.push_back(std::move(note));
    }

    const Trace &m_trace;
    const LaneChoices &m_choices;
    IdleLanes::Lanes m_idle; ///< Not placed yet.
    TimelineLayout m_layout;
    std::vector<TimelineRow> m_above; ///< Pinned rows.
};

} // namespace

RowGroup rowGroupOf(LaneRole role)
{
    switch (role) {
    case LaneRole::DeviceStream:
        return RowGroup::CudaStreams;
    case LaneRole::Engine:
        return RowGroup::Engines;
    case LaneRole::GlQueue:
        return RowGroup::GlQueues;
    case LaneRole::Tool:
        return RowGroup::Tool;
    case LaneRole::Capture:
    case LaneRole::Pipeline:
    case LaneRole::CpuStage:
    case LaneRole::View:
        break;
    }
    return RowGroup::CpuThreads;
}

const char *rowGroupName(RowGroup group)
{
    static constexpr std::array kNames = {"cpu", "cuda", "engines", "gl", "tool", "counters"};
    return kNames[placeOf(group)];
}

int nameWidth(int width)
{
    return fontScaled(width < fontScaled(760) ? 128 : width < fontScaled(1100) ? 168 : 208);
}

namespace {

TimelineMetrics scaled(TimelineMetrics metrics)
{
    for (int *const length :
         {&metrics.labelWidth, &metrics.rulerHeight, &metrics.rowHeight, &metrics.nestedHeight, &metrics.headingHeight,
          &metrics.barTop, &metrics.barHeight, &metrics.levelHeight, &metrics.footerHeight})
        *length = fontScaled(*length);
    return metrics;
}

} // namespace

TimelineMetrics usualMetrics()
{
    return scaled({});
}

TimelineMetrics compactMetrics()
{
    TimelineMetrics metrics;
    metrics.rulerHeight = 20;
    metrics.rowHeight = 20;
    metrics.nestedHeight = 10;
    metrics.levelHeight = 15;
    metrics.headingHeight = 0;
    metrics.barTop = 2;
    metrics.barHeight = 15;
    metrics.footerHeight = 17;
    return scaled(metrics);
}

BarBand barBand(const TimelineMetrics &metrics, std::size_t depth, std::size_t levels)
{
    const int first = levels > 1 ? metrics.levelHeight : metrics.barHeight;
    if (depth == 0)
        return {metrics.barTop, first};
    const int nested = static_cast<int>(depth) - 1;
    return {metrics.barTop + first + 2 + nested * metrics.nestedHeight, metrics.nestedHeight - 2};
}

QString unseenText(const TimelineLayout &layout)
{
    QStringList parts;
    if (layout.hidden > 0)
        parts.append(layout.hidden == 1 ? laneText("1 lane hidden") : laneText("%1 lanes hidden").arg(layout.hidden));
    if (layout.filtered > 0)
        parts.append(layout.filtered == 1 ? laneText("1 lane filtered out")
                                          : laneText("%1 lanes filtered out").arg(layout.filtered));
    return parts.join(QStringLiteral(" · "));
}

TimelineLayout layoutTimeline(const Trace &trace, const LaneChoices &choices, const TimelineMetrics &metrics,
                              const IdleLanes::Lanes &idle)
{
    return LayoutBuilder(trace, choices, metrics, idle).build();
}

const TimelineRow *TimelineLayout::rowAt(int y) const
{
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [y](const TimelineRow &r) { return y >= r.top && y < r.top + r.height; });
    return found == rows.end() ? nullptr : &*found;
}

const TimelineRow *TimelineLayout::rowOfTrack(std::size_t track) const
{
    const auto found = std::find_if(rows.begin(), rows.end(), [track](const TimelineRow &row) {
        return std::find(row.tracks.begin(), row.tracks.end(), track) != row.tracks.end();
    });
    return found == rows.end() ? nullptr : &*found;
}

const TimelineRow *TimelineLayout::rowOfKey(const QString &key) const
{
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&key](const TimelineRow &row) { return row.key == key; });
    return found == rows.end() ? nullptr : &*found;
}

std::optional<SpanPlace> spanNear(const Trace &trace, std::size_t track, const TimeScale &scale, double x)
{
    if (const DistantSpans *distant = trace.distant()) {
        const auto bar = distant->barAt(static_cast<std::uint32_t>(track), timeAt(scale, x),
                                        static_cast<std::int64_t>(scale.nsPerPixel));
        return bar ? std::optional(SpanPlace{track, *bar}) : std::nullopt;
    }
    const SpanTrack &spans = trace.tracks()[track];
    const auto index = indexNear(spans, scale, x);
    return index ? std::optional(SpanPlace{track, {*index, spans.at(*index)}}) : std::nullopt;
}

std::optional<SpanPlace> spanAt(const Trace &trace, const TimelineLayout &layout, const TimeScale &scale, double x,
                                int y)
{
    const TimelineRow *row = layout.rowAt(y);
    if (row && row->kind == TimelineRow::Kind::Idle) {
        const GpuIdleGap *gap = row->idle->near(scale, x);
        return gap ? causeOf(trace, *gap) : std::nullopt;
    }
    if (!row || row->kind != TimelineRow::Kind::Lane)
        return std::nullopt;
    for (std::size_t depth = 0; depth < row->tracks.size(); ++depth) {
        const BarBand band = barBand(layout.metrics, depth, row->tracks.size());
        if (y >= row->top + band.top && y < row->top + band.top + band.height)
            return spanNear(trace, row->tracks[depth], scale, x);
    }
    return std::nullopt;
}

} // namespace jetscope
