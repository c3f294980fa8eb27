// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/updatecheck.h"

#include "core/trace/timelimits.h"

#include <algorithm>
#include <array>
#include <limits>

namespace jetscope {

namespace {

/// Sums over as many frames as a trace holds stay in range.
constexpr std::int64_t kMaxAmount = std::int64_t{1} << 44; // Nanoseconds of five hours, or 17 TB.

bool isAmount(std::int64_t amount)
{
    return amount >= 0 && amount <= kMaxAmount;
}

bool isFrame(const FrameFigures &f)
{
    const Overlap &o = f.overlap;
    const std::array times{o.periodNs, o.cpuNs,         o.gpuNs,         o.bothNs,     o.idleNs,   o.gpuBoundedNs,
                           f.frameNs,  o.bothBoundedNs, f.captureBusyNs, f.viewBusyNs, f.latencyNs};
    bool are = std::all_of(times.begin(), times.end(), isAmount) && f.sourcePeriodNs <= kMaxAmount
        && f.sourcePeriodNs >= -kMaxAmount && isTracePiece(f.startNs, kMaxAmount);
    eachFrameAmount([&](auto member) { are = are && isAmount(static_cast<std::int64_t>(f.*member)); });
    return are && o.gpuBoundedNs <= o.gpuNs && o.bothBoundedNs <= o.bothNs;
}

bool isGoodLoss(const LostFrames &lost)
{
    return isTraceTime(lost.timeNs) && lost.count <= static_cast<std::uint64_t>(kMaxAmount);
}

template <class T, class Is>
bool areAll(const std::vector<T> &values, Is is)
{
    return std::all_of(values.begin(), values.end(), is);
}

bool isGoodMark(const TraceMark &mark)
{
    return isTraceTime(mark.timeNs) && areAll(mark.lost, isGoodLoss);
}

} // namespace

bool UpdateCheck::accepts(const TraceUpdate &update)
{
    const UpdateCheck before = *this;
    const bool does = acceptsHead(update) && acceptsValues(update);
    if (!does)
        *this = before;
    return does;
}

bool UpdateCheck::acceptsValues(const TraceUpdate &update) const
{
    return areAll(update.spans, [this](const Span &span) { return isSpan(span); }) && areAll(update.figures, isFrame)
        && areAll(update.path, [this](const PathPiece &p) { return isPiece(p); })
        && areAll(update.pathGains,
                  [this](const PathGain &gain) {
                      return gain.firstFrame <= gain.lastFrame && isName(gain.kind.name) && isAmount(gain.savedNs)
                          && isAmount(gain.ofNs);
                  })
        && areAll(update.samples, [](const CounterSample &sample) { return isTraceTime(sample.timeNs); })
        && areAll(update.marks, isGoodMark) && update.spansLost <= static_cast<std::uint64_t>(kMaxAmount)
        && update.missedSpans <= static_cast<std::uint64_t>(kMaxAmount);
}

bool UpdateCheck::acceptsHead(const TraceUpdate &update)
{
    constexpr std::size_t kMost = std::size_t{std::numeric_limits<NameId>::max()} + 1;
    if (!update.names.empty() && update.firstName != m_names)
        return false;
    m_names += update.names.size();
    for (const LaneInfo &lane : update.lanes)
        if (lane.id != m_lanes++)
            return false;
    return m_names <= kMost && m_lanes <= kMost; // A counter may be told before the lane that it describes.
}

bool UpdateCheck::isSpan(const Span &span) const
{
    return span.name < m_names && span.lane < m_lanes && isTracePiece(span.startNs, span.durationNs);
}

bool UpdateCheck::isPiece(const PathPiece &piece) const
{
    return isTraceTime(piece.startNs) && isTraceTime(piece.endNs) && piece.endNs >= piece.startNs && isName(piece.name)
        && (piece.lane < m_lanes || piece.lane == kNoPathLane);
}

} // namespace jetscope
