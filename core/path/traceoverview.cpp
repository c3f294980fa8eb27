// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/traceoverview.h"

#include "core/path/waitcauses.h"
#include "core/trace/timelimits.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::uint64_t kOverviewSpans = 50'000;

} // namespace

OverviewTimes &OverviewTimes::operator+=(const OverviewTimes &other)
{
    cpuNs += other.cpuNs;
    gpuNs += other.gpuNs;
    bothNs += other.bothNs;
    return *this;
}

TraceOverview TraceOverview::of(std::int64_t startNs, std::int64_t partNs, std::vector<OverviewTimes> parts)
{
    TraceOverview overview;
    const auto count = static_cast<std::int64_t>(parts.size());
    if (parts.size() > kMaxParts || partNs <= 0 || partNs > kMaxTraceNs / std::max<std::int64_t>(1, count)
        || !isTracePiece(startNs, partNs * count))
        return overview;
    overview.m_startNs = startNs;
    overview.m_partNs = partNs;
    overview.m_endNs = startNs + partNs * count;
    overview.m_parts = std::move(parts);
    return overview;
}

void TraceOverview::begin(const Trace &trace, std::int64_t untilNs)
{
    m_startNs = trace.oldestNs();
    m_endNs = m_startNs;
    const std::int64_t length = std::max<std::int64_t>(1, untilNs - m_startNs);
    m_partNs = (length + static_cast<std::int64_t>(kMaxParts) - 1) / static_cast<std::int64_t>(kMaxParts);
}

void TraceOverview::makeRoom(std::int64_t untilNs)
{
    while ((untilNs - m_startNs - 1) / m_partNs >= static_cast<std::int64_t>(kMaxParts)) {
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const OverviewTimes part = m_parts[i];
            if (i % 2 == 0)
                m_parts[i / 2] = part;
            else
                m_parts[i / 2] += part;
        }
        m_parts.resize((m_parts.size() + 1) / 2);
        m_partNs *= 2;
    }
    m_parts.resize(static_cast<std::size_t>((untilNs - m_startNs + m_partNs - 1) / m_partNs));
}

void TraceOverview::add(Interval piece, bool cpu, bool gpu)
{
    while (piece.startNs < piece.endNs) {
        const std::int64_t place = (piece.startNs - m_startNs) / m_partNs;
        const std::int64_t endNs = std::min(piece.endNs, m_startNs + (place + 1) * m_partNs);
        const std::int64_t ns = endNs - piece.startNs;
        m_parts[static_cast<std::size_t>(place)] += {cpu ? ns : 0, gpu ? ns : 0, cpu && gpu ? ns : 0};
        piece.startNs = endNs;
    }
}

bool TraceOverview::extend(const Trace &trace, std::int64_t untilNs, Progress &progress)
{
    if (m_parts.empty())
        begin(trace, untilNs);
    if (untilNs <= m_endNs)
        return true;
    makeRoom(untilNs);
    const std::int64_t length = untilNs - m_endNs;
    const auto steps =
        static_cast<std::int64_t>(trace.spanCount() / kOverviewSpans + 1); // Of the trace, so too many rather than few.
    const std::int64_t stepNs = std::max<std::int64_t>(1, (length + steps - 1) / steps);
    const std::int64_t fromNs = m_endNs;
    while (m_endNs < untilNs) {
        const Interval time{m_endNs, std::min(untilNs, m_endNs + stepNs)};
        for (const BusyPiece &piece : busyPieces(trace, time))
            add(piece.time, piece.kind != BusyPiece::Kind::GpuOnly, piece.kind != BusyPiece::Kind::CpuOnly);
        m_endNs = time.endNs;
        if (!progress.advance(static_cast<double>(m_endNs - fromNs) / static_cast<double>(length)))
            return false;
    }
    return true;
}

TraceOverview::Load TraceOverview::loadOf(Interval time) const
{
    const Interval known{std::max(time.startNs, m_startNs), std::min(time.endNs, m_endNs)};
    Load load;
    if (m_parts.empty() || known.startNs >= known.endNs)
        return load;
    const auto whole = static_cast<double>(time.endNs - time.startNs);
    const auto last = static_cast<std::size_t>((known.endNs - 1 - m_startNs) / m_partNs);
    for (auto i = static_cast<std::size_t>((known.startNs - m_startNs) / m_partNs); i <= last; ++i) {
        const std::int64_t from = m_startNs + static_cast<std::int64_t>(i) * m_partNs;
        const double share = static_cast<double>(std::min(known.endNs, from + m_partNs) - std::max(known.startNs, from))
            / static_cast<double>(m_partNs) / whole;
        load.cpu += share * static_cast<double>(m_parts[i].cpuNs);
        load.gpu += share * static_cast<double>(m_parts[i].gpuNs);
        load.both += share * static_cast<double>(m_parts[i].bothNs);
    }
    return load;
}

} // namespace jetscope
