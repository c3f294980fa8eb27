// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/toptable.h"

#include "core/path/namegroups.h"
#include "core/path/owntimes.h"
#include "core/trace/durationsample.h"
#include "core/trace/spancursor.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace jetscope {

namespace {

constexpr std::uint64_t kSpansBetweenReports = 1 << 16;

class TopBuilder {
public:
    TopBuilder(const Trace &trace, Interval time, Progress &progress)
        : m_trace(trace), m_time(time), m_progress(progress), m_groups(trace.names())
    {
        for (const SpanTrack &track : trace.tracks()) {
            const auto [first, last] = track.range(time.startNs, time.endNs);
            m_toRead += last - first;
        }
    }

    std::optional<TopTable> build();

private:
    struct Sums {
        DurationSample own;
        std::int64_t wholeNs = 0;
        bool isTool = false;
    };

    bool addLane(const LaneInfo &lane, std::size_t first, std::size_t last);
    Sums &sumsOf(TraceName name);
    bool report();
    TopTable table();

    const Trace &m_trace;
    const Interval m_time;
    Progress &m_progress;
    NameGroups m_groups;
    std::vector<Sums> m_sums; ///< By group.
    std::uint64_t m_toRead = 0;
    std::uint64_t m_read = 0;
    std::uint64_t m_reportAt = kSpansBetweenReports;
    std::size_t m_lanes = 0;
};

TopBuilder::Sums &TopBuilder::sumsOf(TraceName name)
{
    const std::uint32_t group = m_groups.of(name);
    if (group >= m_sums.size())
        m_sums.emplace_back().isTool = m_trace.names().category(name) == Category::Tool;
    return m_sums[group];
}

bool TopBuilder::report()
{
    m_reportAt = m_read + kSpansBetweenReports;
    return m_progress.advance(static_cast<double>(m_read) / static_cast<double>(std::max<std::uint64_t>(m_toRead, 1)));
}

bool TopBuilder::addLane(const LaneInfo &lane, std::size_t first, std::size_t last)
{
    const std::uint64_t before = m_read;
    const bool nests = nestsSpans(lane.role);
    const auto take = [this, nests](TraceName name, std::int64_t wholeNs, std::int64_t ownNs) {
        Sums &sums = sumsOf(name);
        if (nests || !sums.isTool) { // On a device it sums up other spans.
            sums.own.add(ownNs);
            sums.wholeNs = saturatingSum(sums.wholeNs, wholeNs);
        }
        return ++m_read != m_reportAt || report();
    };
    const bool goesOn = eachOwnTime(m_trace, first, last, nests, m_time, take);
    m_lanes += m_read > before ? 1 : 0;
    return goesOn;
}

TopTable TopBuilder::table()
{
    TopTable table;
    table.time = m_time;
    table.lanes = m_lanes;
    std::vector<std::uint32_t> order(m_sums.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
        const std::int64_t nsOfA = m_sums[a].own.totalNs();
        const std::int64_t nsOfB = m_sums[b].own.totalNs();
        return nsOfA != nsOfB ? nsOfA > nsOfB : a < b;
    });
    std::int64_t shortest = kMaxTraceNs;
    std::int64_t longest = 1;
    for (const Sums &sums : m_sums) {
        if (sums.own.count() == 0)
            continue;
        shortest = std::min(shortest, sums.own.minNs());
        longest = std::max(longest, sums.own.maxNs());
    }
    table.axisFromNs = std::clamp<std::int64_t>(shortest, 1, longest);
    table.axisRatio = std::pow(static_cast<double>(longest + 1) / static_cast<double>(table.axisFromNs),
                               1.0 / static_cast<double>(TopRow::kBins));
    std::vector<std::uint32_t> placeOf(m_sums.size(), TopTable::kNoRow);
    for (const std::uint32_t group : order) {
        const Sums &sums = m_sums[group];
        if (sums.own.count() == 0)
            continue;
        TopRow row;
        row.name = m_groups.nameOf(group);
        row.category = m_trace.names().category(row.name);
        row.count = sums.own.count();
        row.ownNs = sums.own.totalNs();
        row.wholeNs = sums.wholeNs;
        row.meanNs = sums.own.meanNs();
        row.p50Ns = sums.own.quantileNs(0.50);
        row.p95Ns = sums.own.quantileNs(0.95);
        row.p99Ns = sums.own.quantileNs(0.99);
        row.maxNs = sums.own.maxNs();
        sums.own.addTo(row.histogram, table.axisFromNs, table.axisRatio);
        table.ownNs = saturatingSum(table.ownNs, row.ownNs);
        placeOf[group] = static_cast<std::uint32_t>(table.rows.size());
        table.rows.push_back(row);
    }
    table.rowOf = m_groups.takeGroups();
    for (std::uint32_t &group : table.rowOf)
        group = group == NameGroups::kNone ? TopTable::kNoRow : placeOf[group];
    return table;
}

std::optional<TopTable> TopBuilder::build()
{
    const bool goesOn = eachLane(m_trace, [this](const LaneInfo &lane, std::size_t first, std::size_t last) {
        return !isWorkLane(lane.role) || addLane(lane, first, last);
    });
    return goesOn ? std::optional(table()) : std::nullopt;
}

/// Looks for the next span of a row, track by track.
class RowSearch {
public:
    RowSearch(const Trace &trace, const TopTable &table, std::uint32_t row) : m_trace(trace), m_table(table), m_row(row)
    {
    }

    void after(std::size_t place, std::int64_t ns)
    {
        const SpanTrack &track = m_trace.tracks()[place];
        const auto [first, last] = track.range(m_table.time.startNs, m_table.time.endNs);
        const std::uint64_t from = std::max(first, track.firstFrom(ns + 1));
        if (!begin(track) || from >= last)
            return;
        for (SpanCursor span(track, {track.at(from).startNs, m_table.time.endNs}); !span.atEnd(); span.next()) {
            if (m_found && span->startNs >= m_found->bar.span.startNs)
                return;
            if (span.index() >= from && isOfRow(span->name)) {
                m_found = SpanPlace{place, {span.index(), track.at(span.index())}};
                return;
            }
        }
    }
    void before(std::size_t place, std::int64_t ns)
    {
        const SpanTrack &track = m_trace.tracks()[place];
        const auto [first, last] = track.range(m_table.time.startNs, m_table.time.endNs);
        if (!begin(track))
            return;
        for (std::uint64_t index = std::min(last, track.firstFrom(ns)); index-- > first;) {
            const TraceSpan span = track.at(index);
            if (m_found && span.startNs <= m_found->bar.span.startNs)
                return;
            if (isOfRow(span.name)) {
                m_found = SpanPlace{place, {index, span}};
                return;
            }
        }
    }
    const std::optional<SpanPlace> &found() const { return m_found; }

private:
    /// Whether the table has the spans of this track.
    bool begin(const SpanTrack &track)
    {
        const LaneInfo *lane = m_trace.lane(track.lane());
        m_nests = lane && nestsSpans(lane->role);
        return lane && isWorkLane(lane->role);
    }
    bool isOfRow(TraceName name) const
    {
        return name < m_table.rowOf.size() && m_table.rowOf[name] == m_row
            && (m_nests || m_trace.names().category(name) != Category::Tool);
    }

    const Trace &m_trace;
    const TopTable &m_table;
    const std::uint32_t m_row;
    bool m_nests = true;
    std::optional<SpanPlace> m_found;
};

} // namespace

std::int64_t TopTable::axisToNs() const
{
    return std::llround(static_cast<double>(axisFromNs) * std::pow(axisRatio, static_cast<double>(TopRow::kBins)));
}

void TopTable::keepLargest(std::size_t most)
{
    for (std::size_t i = most; i < rows.size(); ++i) {
        TopRest &of = rest[static_cast<std::size_t>(rows[i].kind())];
        ++of.rows;
        of.ownNs = saturatingSum(of.ownNs, rows[i].ownNs);
    }
    rows.resize(std::min(rows.size(), most));
}

std::optional<TopTable> topTable(const Trace &trace, Interval time, Progress &progress)
{
    return TopBuilder(trace, time, progress).build();
}

std::optional<SpanPlace> nextOfRow(const Trace &trace, const TopTable &table, std::uint32_t row, std::int64_t ns,
                                   int direction)
{
    RowSearch search(trace, table, row);
    for (std::size_t place = 0; place < trace.tracks().size(); ++place)
        direction > 0 ? search.after(place, ns) : search.before(place, ns);
    return search.found();
}

} // namespace jetscope
