// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/countertrack.h"

#include "core/trace/columncursor.h"
#include "core/trace/pyramid.h"
#include "core/trace/search.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jetscope {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Sample {
    std::int64_t timeNs;
    double value;
};

/// Summary of 1, 16, 64, … samples.
struct CounterNode {
    std::int64_t startNs; ///< Times of the first and the last sample.
    std::int64_t endNs;
    double low; ///< Of the known values; low > high if there are none.
    double high;
    double last;

    static CounterNode of(const Sample &sample)
    {
        const bool known = !std::isnan(sample.value);
        return {sample.timeNs, sample.timeNs, known ? sample.value : std::numeric_limits<double>::infinity(),
                known ? sample.value : -std::numeric_limits<double>::infinity(), sample.value};
    }
    void add(const CounterNode &next)
    {
        *this = {startNs, next.endNs, std::min(low, next.low), std::max(high, next.high), next.last};
    }
};

using CounterPyramid = Pyramid<CounterNode>;

void widen(CounterColumn &column, double low, double high)
{
    if (!(low <= high))
        return;
    const bool none = column.low > column.high;
    column.low = none ? low : std::min(column.low, low);
    column.high = none ? high : std::max(column.high, high);
}

struct Samples {
    BlockList<Sample> samples;
    CounterPyramid pyramid;

    CounterNode nodeAt(int level, std::uint64_t index) const
    {
        return level == CounterPyramid::kLeaves ? CounterNode::of(samples[index]) : pyramid.node(level, index);
    }
    CounterNode summary(std::uint64_t first) const
    {
        CounterNode sum = CounterNode::of(samples[first]);
        for (std::uint64_t index = first + 1; index < first + CounterPyramid::kGroup; ++index)
            sum.add(CounterNode::of(samples[index]));
        return sum;
    }

    /// The first sample at or after a time.
    std::uint64_t firstFrom(std::int64_t ns) const
    {
        return partitionIndex(samples.firstIndex(), samples.endIndex(),
                              [&](std::uint64_t index) { return samples[index].timeNs < ns; });
    }
    /// The first sample after a time.
    std::uint64_t firstAfter(std::int64_t ns) const
    {
        return partitionIndex(samples.firstIndex(), samples.endIndex(),
                              [&](std::uint64_t index) { return samples[index].timeNs <= ns; });
    }
};

/// One query that walks down the pyramid and along the columns. A value holds until the next sample.
class CounterDescent {
public:
    CounterDescent(const Samples &samples, const ColumnCursor &cursor, std::vector<CounterColumn> &columns,
                   double inForce)
        : m_samples(samples), m_cursor(cursor), m_columns(columns), m_inForce(inForce)
    {
    }

    /// Callback of `Pyramid::cover`; called in order.
    void part(int level, std::uint64_t index)
    {
        if (level == CounterPyramid::kLeaves)
            sample(index);
        else
            nodes(level, index, 1);
    }

    /// Fills the columns before `column` that contain no sample.
    void holdUntil(std::size_t column)
    {
        for (; m_reached < column; ++m_reached) {
            widen(m_columns[m_reached], m_inForce, m_inForce);
            m_columns[m_reached].last = m_inForce;
        }
    }

private:
    void sample(std::uint64_t index) { place(CounterNode::of(m_samples.samples[index])); }

    /// Contiguous nodes.
    void nodes(int level, std::uint64_t first, std::uint64_t count)
    {
        const CounterNode *const nodes = &m_samples.pyramid.node(level, first);
        for (std::uint64_t i = 0; i < count; ++i) {
            if (place(nodes[i]))
                continue;
            const std::uint64_t below = (first + i) * CounterPyramid::childrenOf(level);
            if (level > 0)
                this->nodes(level - 1, below, CounterPyramid::kFanOut);
            else
                samplesFrom(below);
        }
    }

    /// The samples of one group; samples within one column are combined first.
    void samplesFrom(std::uint64_t first)
    {
        const Sample *const samples = &m_samples.samples[first];
        for (std::uint64_t i = 0; i < CounterPyramid::kGroup;) {
            CounterNode node = CounterNode::of(samples[i]);
            m_cursor.seek(node.startNs);
            for (++i; i < CounterPyramid::kGroup && samples[i].timeNs < m_cursor.nextNs(); ++i) {
                // Both comparisons are false for NaN (unknown), so it changes neither.
                node.low = std::min(node.low, samples[i].value);
                node.high = std::max(node.high, samples[i].value);
            }
            node.endNs = samples[i - 1].timeNs;
            node.last = samples[i - 1].value;
            place(node);
        }
    }

    /// Places a node that lies within one column. A node that extends slightly over an edge is shown in both columns if
    /// no value moves by more than half a column. Otherwise returns false.
    bool place(const CounterNode &node)
    {
        const auto column = static_cast<std::size_t>(m_cursor.seek(node.startNs));
        const bool reachesOver = node.endNs >= m_cursor.nextNs();
        if (reachesOver && node.endNs - node.startNs > m_mostBlurNs)
            return false;
        const bool begins = column >= m_reached;
        holdUntil(column);
        if (begins && node.startNs > m_cursor.edge(static_cast<int>(column)))
            widen(m_columns[column], m_inForce, m_inForce);
        put(column, node);
        if (reachesOver)
            put(static_cast<std::size_t>(m_cursor.seek(node.endNs)), node);
        return true;
    }

    void put(std::size_t column, const CounterNode &node)
    {
        widen(m_columns[column], node.low, node.high);
        m_inForce = m_columns[column].last = node.last;
        m_reached = column + 1;
    }

    const Samples &m_samples;
    ColumnCursor m_cursor;
    const std::int64_t m_mostBlurNs = m_cursor.columnNs() / 2 - 1; ///< Below half a column despite rounded edges.
    std::vector<CounterColumn> &m_columns;
    double m_inForce;
    std::size_t m_reached = 0; ///< Number of columns filled or begun.
};

} // namespace

struct CounterTrack::Parts : Samples {};

CounterTrack::CounterTrack(CounterInfo info) : m_info(std::move(info)), m_parts(std::make_unique<Parts>()) {}
CounterTrack::~CounterTrack() = default;
CounterTrack::CounterTrack(const CounterTrack &other)
    : m_info(other.m_info), m_elsewhere(other.m_elsewhere), m_parts(std::make_unique<Parts>(*other.m_parts))
{
}
CounterTrack::CounterTrack(CounterTrack &&) noexcept = default;
CounterTrack &CounterTrack::operator=(CounterTrack &&) noexcept = default;

bool CounterTrack::append(std::int64_t timeNs, double value)
{
    BlockList<Sample> &samples = m_parts->samples;
    if (!isTraceTime(timeNs) || (firstIndex() < endIndex() && timeNs < samples.back().timeNs))
        return false;
    samples.push({timeNs, std::isfinite(value) ? value : kUnknown});
    m_parts->pyramid.grown(endIndex(), [this](std::uint64_t first) { return m_parts->summary(first); });
    return true;
}

std::uint64_t CounterTrack::firstIndex() const
{
    return m_parts->samples.firstIndex();
}

std::uint64_t CounterTrack::endIndex() const
{
    return m_parts->samples.endIndex();
}

std::pair<std::int64_t, double> CounterTrack::at(std::uint64_t index) const
{
    const Sample &sample = m_parts->samples[index];
    return {sample.timeNs, sample.value};
}

std::optional<double> CounterTrack::valueAt(std::int64_t ns) const
{
    const std::uint64_t after = m_parts->firstAfter(ns);
    if (after == firstIndex() || std::isnan(m_parts->samples[after - 1].value))
        return std::nullopt;
    return m_parts->samples[after - 1].value;
}

std::optional<std::pair<double, double>> CounterTrack::extremes() const
{
    CounterColumn all;
    CounterPyramid::cover(firstIndex(), endIndex(), [&](int level, std::uint64_t index) {
        const CounterNode node = m_parts->nodeAt(level, index);
        widen(all, node.low, node.high);
    });
    return all.low > all.high ? m_elsewhere : std::pair{all.low, all.high};
}

void CounterTrack::query(const ColumnWindow &window, std::vector<CounterColumn> &columns) const
{
    const ColumnCursor cursor(window);
    columns.assign(static_cast<std::size_t>(std::max(0, window.count)), CounterColumn{1, 0, kUnknown});
    if (cursor.count() == 0)
        return;
    const std::uint64_t first = m_parts->firstFrom(cursor.startNs());
    const std::uint64_t last = std::max(first, m_parts->firstFrom(cursor.endNs()));
    CounterDescent descent(*m_parts, cursor, columns,
                           first > firstIndex() ? m_parts->samples[first - 1].value : kUnknown);
    CounterPyramid::cover(first, last, [&descent](int level, std::uint64_t index) { descent.part(level, index); });
    descent.holdUntil(columns.size());
}

void CounterTrack::dropBefore(std::int64_t ns)
{
    // The last sample up to `ns` is kept: its value is still valid.
    const std::uint64_t after = m_parts->firstAfter(ns);
    m_parts->samples.dropBefore(after > firstIndex() ? after - 1 : after);
    m_parts->pyramid.dropBefore(firstIndex());
}

std::uint64_t CounterTrack::memoryBytes() const
{
    return sizeof(Parts) + m_parts->samples.memoryBytes() + m_parts->pyramid.memoryBytes();
}

} // namespace jetscope
