// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/idlelanes.h"

#include "ui/style/text.h"
#include "ui/timeline/rulertext.h"
#include "ui/timeline/timescale.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr qint64 kReadAgainMs = 1000;
constexpr qint64 kReadAgainCost = 20; ///< A growing trace is read for at most a twentieth of the time.

QString idleWords(const char *text)
{
    return QCoreApplication::translate("jetscope::Timeline", text);
}

} // namespace

IdleLane::IdleLane(GpuIdleGaps found) : gpu(found.gpu), gaps(std::move(found.gaps))
{
    for (const GpuIdleGap &gap : gaps) {
        TraceSpan span;
        span.startNs = gap.time.startNs;
        span.durationNs = gap.time.endNs - gap.time.startNs;
        track.append(span);
        ns += span.durationNs;
    }
}

const GpuIdleGap *IdleLane::near(const TimeScale &scale, double x) const
{
    const auto index = indexNear(track, scale, x);
    return index ? &gaps[*index] : nullptr;
}

std::optional<SpanPlace> causeOf(const Trace &trace, const GpuIdleGap &gap)
{
    if (!gap.hasCause() || gap.track >= trace.tracks().size())
        return std::nullopt;
    const SpanTrack &track = trace.tracks()[gap.track];
    if (gap.index < track.firstIndex() || gap.index >= track.endIndex())
        return std::nullopt;
    return SpanPlace{gap.track, {gap.index, track.at(gap.index)}};
}

QString idleText(const Trace &trace, const GpuIdleGap &gap)
{
    const QString length = durationText(gap.time.endNs - gap.time.startNs);
    const auto cause = causeOf(trace, gap);
    return cause ? QStringLiteral("%1: %2").arg(length, toQString(trace.names().text(cause->bar.span.name))) : length;
}

QString idleTip(const Trace &trace, const GpuIdleGap &gap, std::int64_t rulerOriginNs)
{
    QString text =
        idleWords("<b>The GPU had nothing to do for %1</b>").arg(durationText(gap.time.endNs - gap.time.startNs));
    if (const auto cause = causeOf(trace, gap)) {
        const TraceSpan &span = cause->bar.span;
        const LaneInfo *lane = trace.lane(trace.tracks()[cause->track].lane());
        const std::int64_t within = std::min(span.endNs(), gap.time.endNs) - std::max(span.startNs, gap.time.startNs);
        text += idleWords("<br>while %1 ran on %2, for %3 of it; click selects that")
                    .arg(toQString(trace.names().text(span.name)).toHtmlEscaped(),
                         lane ? toQString(lane->name).toHtmlEscaped() : QString(), durationText(within));
    } else {
        text += idleWords("<br>no span of the CPU that was recorded lasted for half of it");
    }
    return text + idleWords("<br>starts at %1").arg(momentText(gap.time.startNs - rulerOriginNs));
}

void IdleLanes::restart(bool wanted)
{
    m_work.cancel();
    m_isWanted = wanted;
    m_version = 0;
    m_read.invalidate();
    if (!std::exchange(m_lanes, {}).empty())
        emit changed();
    compute();
}

void IdleLanes::refresh()
{
    const bool rests = m_read.isValid() && m_read.elapsed() < std::max(kReadAgainMs, kReadAgainCost * m_tookMs);
    if (!m_work.isRunning() && !rests)
        compute();
}

void IdleLanes::compute()
{
    if (!m_isWanted || m_trace.empty() || m_trace.distant() || m_version == m_trace.version())
        return;
    m_version = m_trace.version();
    m_read.start();
    m_work.start(m_trace.snapshot({m_trace.oldestNs(), m_trace.newestNs()}),
                 [this](const std::shared_ptr<const Trace> &trace, Progress &progress) -> std::function<void()> {
                     std::optional<std::vector<GpuIdleGaps>> found = gpuIdleGaps(*trace, progress);
                     if (!found)
                         return nullptr;
                     auto lanes = std::make_shared<Lanes>();
                     for (GpuIdleGaps &gaps : *found)
                         if (!gaps.gaps.empty())
                             lanes->push_back(std::make_shared<const IdleLane>(std::move(gaps)));
                     return [this, lanes] {
                         m_lanes = std::move(*lanes);
                         m_tookMs = m_read.elapsed();
                         emit changed();
                     };
                 });
}

} // namespace jetscope
