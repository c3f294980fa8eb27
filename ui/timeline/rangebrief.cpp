// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/rangebrief.h"

#include "core/path/tracepaths.h"
#include "ui/style/text.h"
#include "ui/timeline/rulertext.h"

#include <QCoreApplication>

namespace jetscope {

namespace {

constexpr std::uint64_t kMaxSpansInBrief = 20'000;
/// Critical paths of frames with more spans are not computed for a tooltip.
constexpr std::uint64_t kMaxSpansForTip = 4096;

QString briefText(const char *text)
{
    return QCoreApplication::translate("jetscope::Timeline", text);
}

QString laneName(const Trace &trace, std::size_t track)
{
    const LaneInfo *lane = trace.lane(trace.tracks()[track].lane());
    return lane ? toQString(lane->name) : briefText("an unknown lane");
}

QString frameLines(const Trace &trace, const TraceSpan &span)
{
    if (span.frame == kNoFrame)
        return {};
    const auto index = trace.frames().find(span.frame);
    const std::int64_t period = index ? trace.frames().at(*index).periodNs() : 0;
    if (period <= 0)
        return briefText("<br>frame %1").arg(trace.frameNumber(span.frame));
    return briefText("<br>frame %1, %2 of its period of %3")
        .arg(trace.frameNumber(span.frame))
        .arg(percentText(static_cast<double>(span.durationNs) / static_cast<double>(period)), durationText(period));
}

} // namespace

RangeBrief rangeBrief(const Trace &trace, Interval range)
{
    RangeBrief brief;
    if (spansWithin(trace, range) > kMaxSpansInBrief) {
        const auto [first, last] = trace.frames().range(range.startNs, range.endNs);
        brief.overlap = trace.frames().sum(first, last).overlap;
        brief.exact = false;
        return brief;
    }
    brief.overlap = overlapIn(trace, range);
    return brief;
}

QString rangeText(const Trace &trace, Interval range)
{
    QString text = durationText(range.endNs - range.startNs);
    if (trace.distant())
        return text;
    const RangeBrief brief = rangeBrief(trace, range);
    if (brief.overlap.periodNs <= 0)
        return text;
    const auto part = [&](std::int64_t ns) {
        return percentText(static_cast<double>(ns) / static_cast<double>(brief.overlap.periodNs));
    };
    const QString gpu = part(brief.overlap.gpuNs);
    const QString gpuAtLeast = part(brief.overlap.gpuAtLeastNs());
    text += briefText(" · CPU %1 · GPU %2")
                .arg(part(brief.overlap.cpuNs), gpu == gpuAtLeast ? gpu : gpuAtLeast + QStringLiteral(" – ") + gpu);
    if (brief.overlap.overlapBounds())
        text += briefText(" · overlap %1").arg(overlapText(brief.overlap));
    else
        text += brief.overlap.cpuNs <= brief.overlap.gpuNs ? briefText(" · no overlap: CPU under 2 %")
                                                           : briefText(" · no overlap: GPU under 2 %");
    return brief.exact ? text : text + briefText(" (whole frames)");
}

QString causeTip(const Trace &trace, const SpanPlace &wait, const std::optional<SpanPlace> &cause)
{
    if (!cause)
        return briefText("<br>what it waited for is not in the trace");
    const std::int64_t late = wait.bar.span.endNs() - cause->bar.span.endNs();
    QString text = briefText("<br>waited for <b>%1</b> on %2")
                       .arg(toQString(trace.names().text(cause->bar.span.name)).toHtmlEscaped(),
                            laneName(trace, cause->track).toHtmlEscaped());
    if (cause->bar.span.frame != kNoFrame && cause->bar.span.frame != wait.bar.span.frame)
        text += briefText(" of frame %1").arg(trace.frameNumber(cause->bar.span.frame));
    return late > 0 ? text + briefText(", and noticed its end %1 late").arg(durationText(late)) : text;
}

QString spanTip(const Trace &trace, const SpanPlace &place, std::int64_t rulerOriginNs)
{
    const TraceSpan &span = place.bar.span;
    QString text = briefText("<b>%1</b> (%2)<br>%3 on %4")
                       .arg(toQString(trace.names().text(span.name)).toHtmlEscaped(),
                            toQString(categoryName(trace.names().category(span.name))), durationText(span.durationNs),
                            laneName(trace, place.track).toHtmlEscaped());
    if (trace.names().certainty(span.name) == Certainty::Bounded)
        text += briefText("<br>ran at an unknown time within these %1 (bounded)").arg(durationText(span.durationNs));
    text += frameLines(trace, span);
    if (!trace.distant() && isWait(trace.names().category(span.name)))
        text += causeTip(trace, place, waitedFor(trace, place));
    if (span.bytes > 0)
        text += briefText("<br>%1 moved").arg(bytesText(static_cast<double>(span.bytes)));
    return text + briefText("<br>starts at %1").arg(momentText(span.startNs - rulerOriginNs));
}

QString pathTip(const Trace &trace, std::int64_t ns)
{
    if (trace.distant())
        return {};
    const auto [first, last] = framesOnPathIn(trace, {ns, ns + 1});
    std::vector<PathPiece> pieces;
    TracePaths(trace, kMaxSpansForTip).follow(first, last, pieces);
    for (const PathPiece &piece : pieces) {
        if (piece.startNs > ns || piece.endNs <= ns)
            continue;
        const std::string name = piece.name == kNoPathName ? std::string() : trace.names().text(piece.name);
        const LaneInfo *lane = trace.lane(piece.lane);
        QString text = briefText("on the critical path of frame %1:<br><b>%2</b>%3, %4")
                           .arg(trace.frameNumber(piece.frame))
                           .arg(toQString(pathWords(piece.cause, name, piece.bounded)).toHtmlEscaped(),
                                lane ? briefText(" on %1").arg(toQString(lane->name).toHtmlEscaped()) : QString(),
                                durationText(piece.lengthNs()));
        if (!isNamed(piece.cause) && !name.empty())
            text += briefText("<br>before the end of %1").arg(toQString(name).toHtmlEscaped());
        if (piece.workFrame != kNoFrame && piece.workFrame != piece.frame)
            text += briefText("<br>work of frame %1").arg(trace.frameNumber(piece.workFrame));
        return text;
    }
    return {};
}

QString counterTip(const CounterTrack &counter, std::int64_t ns, std::int64_t rulerOriginNs)
{
    const auto value = counter.valueAt(ns);
    const QString text = value ? quantityText(*value, counter.info().unit).toHtmlEscaped() : briefText("unknown");
    return briefText("<b>%1</b>: %2<br>at %3")
        .arg(toQString(counter.info().name).toHtmlEscaped(), text, momentText(ns - rulerOriginNs));
}

} // namespace jetscope
