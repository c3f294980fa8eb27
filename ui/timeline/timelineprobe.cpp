// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelineprobe.h"

#include "ui/style/text.h"
#include "ui/timeline/counterline.h"
#include "ui/timeline/limitbands.h"
#include "ui/timeline/rangebrief.h"
#include "ui/timeline/rulertext.h"
#include "ui/timeline/timelinecamera.h"
#include "ui/timeline/timelinerows.h"

namespace jetscope {

namespace {

constexpr double kMarkReach = 6; ///< Pixels; maximum distance of the mouse from a mark.

} // namespace

double TimelineProbe::laneX(double x) const
{
    return x - m_rows.layout().metrics.labelWidth;
}

std::int64_t TimelineProbe::timeUnder(double x) const
{
    return timeAt(m_camera.scale(), laneX(x));
}

bool TimelineProbe::isOnLanes(QPoint at) const
{
    return at.x() >= m_rows.layout().metrics.labelWidth;
}

bool TimelineProbe::isOnRuler(QPoint at) const
{
    return at.y() < m_rows.layout().metrics.rulerHeight;
}

bool TimelineProbe::isOnFrameNumbers(QPoint at) const
{
    return isOnLanes(at) && m_rows.isInFooter(at.y());
}

std::optional<std::uint64_t> TimelineProbe::frameUnder(QPoint at) const
{
    const std::int64_t ns = timeUnder(at.x());
    const auto [first, last] = m_trace.frames().range(ns, ns + 1);
    return first < last ? std::optional(first) : std::nullopt;
}

const TimelineRow *TimelineProbe::rowUnder(QPoint at) const
{
    return m_rows.rowUnder(at.y());
}

std::optional<SpanPlace> TimelineProbe::spanUnder(QPoint at) const
{
    return isOnLanes(at) && rowUnder(at)
        ? spanAt(m_trace, m_rows.layout(), m_camera.scale(), laneX(at.x()), m_rows.contentY(at.y()))
        : std::nullopt;
}

QString TimelineProbe::tipAt(QPoint at) const
{
    if (!isOnLanes(at))
        return rowTip(at);
    const auto span = spanUnder(at);
    const TimelineRow *row = rowUnder(at);
    QString text;
    if (row && row->kind == TimelineRow::Kind::Idle)
        text = gapTip(*row, at);
    else if (span)
        text = spanTip(m_trace, *span, m_camera.rulerOriginNs());
    else if (row && row->kind == TimelineRow::Kind::Counter && m_trace.distant())
        text = distantTip(*row, timeUnder(at.x()));
    else if (row && row->kind == TimelineRow::Kind::Counter)
        text = counterTip(m_trace.counters()[row->counter], timeUnder(at.x()), m_camera.rulerOriginNs());
    else if (!isOnRuler(at) && at.y() < m_rows.layout().contentTop())
        text = pathTip(m_trace, timeUnder(at.x()));
    if (const QString limits = limitsAt(m_trace, timeUnder(at.x())); !limits.isEmpty())
        text += (text.isEmpty() ? QString() : QStringLiteral("<hr>"))
            + tr("Clocks limited: %1").arg(limits.toHtmlEscaped());
    const QString marks = markTip(at);
    return marks.isEmpty() || text.isEmpty() ? marks + text : marks + QStringLiteral("<hr>") + text;
}

/// The values that a column has seen, which is all that is known of a counter whose samples are elsewhere.
QString TimelineProbe::distantTip(const TimelineRow &row, std::int64_t ns) const
{
    const CounterInfo &info = m_trace.counters()[row.counter].info();
    const auto column = m_trace.distant()->counterAt(static_cast<std::uint32_t>(row.counter), ns);
    if (!column)
        return {};
    const QString low = quantityText(column->low, info.unit);
    const QString high = quantityText(column->high, info.unit);
    const QString values = low == high ? low : tr("%1 to %2").arg(low, high);
    return tr("<b>%1</b>: %2<br>at %3")
        .arg(row.label.toHtmlEscaped(), values.toHtmlEscaped(), momentText(ns - m_camera.rulerOriginNs()));
}

QString TimelineProbe::gapTip(const TimelineRow &row, QPoint at) const
{
    const GpuIdleGap *gap = row.idle->near(m_camera.scale(), laneX(at.x()));
    return gap ? idleTip(m_trace, *gap, m_camera.rulerOriginNs()) : QString();
}

QString TimelineProbe::rowTip(QPoint at) const
{
    const TimelineRow *row = rowUnder(at);
    if (!row || row->kind == TimelineRow::Kind::Heading || row->kind == TimelineRow::Kind::Note)
        return {};
    QString what = row->detail.isEmpty() ? row->label : row->label + QStringLiteral(" · ") + row->detail;
    if (row->kind == TimelineRow::Kind::Counter) {
        const CounterTrack &counter = m_trace.counters()[row->counter];
        const CounterAxis axis = counterAxis(counter);
        what = tr("%1 · %2 to %3")
                   .arg(row->label, quantityText(axis.bottom, counter.info().unit),
                        quantityText(axis.top, counter.info().unit));
    }
    return QStringLiteral("<b>%1</b><br>%2")
        .arg(what.toHtmlEscaped(),
             row->pinned ? tr("Right click unpins it (P) or hides it (X); drag moves it.")
                         : tr("Right click pins it to the top (P) or hides it (X); drag moves it."));
}

/// The first of the frames that a mark tells of, and why they are missing.
QString TimelineProbe::lossTip(const std::vector<LostFrames> &lost)
{
    constexpr std::size_t kMaxRows = 3;
    QString text;
    for (std::size_t i = 0; i < std::min(lost.size(), kMaxRows); ++i)
        text += QStringLiteral("<br>")
            + tr("Frame %1, %2: %3")
                  .arg(QStringLiteral("%L1").arg(lost[i].first), toQString(std::string(rowOf(lost[i].cause).says)),
                       toQString(lost[i].evidence).toHtmlEscaped());
    if (lost.size() > kMaxRows)
        text += QStringLiteral("<br>") + tr("and %1 more").arg(lost.size() - kMaxRows);
    return text;
}

/// Marks near the mouse: what happened, and for a hazard what to do.
QString TimelineProbe::markTip(QPoint at) const
{
    constexpr std::size_t kMaxLines = 4;
    const auto [first, last] =
        m_trace.marks().range(timeUnder(at.x() - kMarkReach), timeUnder(at.x() + kMarkReach) + 1);
    QStringList lines;
    for (const TraceNote &note : m_trace.notes())
        if (note.startNs <= timeUnder(at.x() + kMarkReach) && note.endNs >= timeUnder(at.x() - kMarkReach)
            && (note.endNs == note.startNs || isOnRuler(at)) && lines.size() < static_cast<qsizetype>(kMaxLines))
            lines.append(
                tr("Note: %1").arg(note.text.empty() ? tr("a bookmark") : toQString(note.text).toHtmlEscaped()));
    for (std::size_t i = first; i < last && i < first + kMaxLines; ++i) {
        const TraceMark &mark = m_trace.marks().all()[i];
        QString line = QStringLiteral("<b>%1</b>").arg(toQString(mark.text).toHtmlEscaped());
        if (!mark.rule.empty())
            line += tr(" (rule %1)").arg(toQString(mark.rule).toHtmlEscaped());
        if (!mark.memory.empty())
            line += QStringLiteral("<br>") + tr("Memory: %1").arg(toQString(mark.memory).toHtmlEscaped());
        if (!mark.fix.empty())
            line += QStringLiteral("<br>") + toQString(mark.fix).toHtmlEscaped();
        line += lossTip(mark.lost);
        lines.append(line);
    }
    if (last - first > kMaxLines)
        lines.append(tr("and %1 more").arg(last - first - kMaxLines));
    return lines.join(QStringLiteral("<br>"));
}

} // namespace jetscope
