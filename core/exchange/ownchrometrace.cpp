// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/ownchrometrace.h"

#include "core/exchange/chromeformat.h"
#include "core/exchange/chromethreads.h"
#include "core/exchange/foreignlanes.h"
#include "core/exchange/jsontoken.h"
#include "core/recording/span.h"
#include "core/text/shorttext.h"
#include "core/trace/timelimits.h"
#include "core/trace/watchedsort.h"
#include "core/tracefile/oldlabels.h"
#include "core/tracefile/tracefileschema.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace jetscope {

namespace {

/// By field, the order in which they are written; empty if missing.
std::vector<std::optional<std::int64_t>> frameValues(const ChromeEvent &event)
{
    const std::span<const FrameField> fields = frameFields();
    std::vector<std::optional<std::int64_t>> values(fields.size());
    std::size_t expected = 0;
    for (const ChromeArgument &argument : event.arguments) {
        if (expected < fields.size() && fields[expected].name == kFrameStartField)
            ++expected;
        if (expected >= fields.size() || fields[expected].name != argument.key)
            expected = static_cast<std::size_t>(
                std::find_if(fields.begin(), fields.end(),
                             [&](const FrameField &field) { return field.name == argument.key; })
                - fields.begin());
        if (expected < fields.size())
            values[expected++] = std::clamp(wholeNumberOf(argument.value).value_or(0), -kMaxTraceNs, kMaxTraceNs);
    }
    return values;
}

/// Reads the figures of a frame from an event of Jetscope's own Chrome traces; empty if they are invalid.
std::optional<FrameFigures> figuresOfEvent(const ChromeEvent &event, std::int64_t startNs)
{
    const std::vector<std::optional<std::int64_t>> values = frameValues(event);
    const std::int64_t frame = values[0].value_or(0);
    if (frame < 0 || frame > std::int64_t{kNoFrame})
        return std::nullopt;
    FrameFigures figures;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const FrameField &field = frameFields()[i];
        if (values[i] && (field.isRequired || *values[i] >= 0))
            field.set(figures, *values[i]);
    }
    figures.startNs = startNs;
    return isTracePiece(startNs, figures.periodNs()) ? std::optional(figures) : std::nullopt;
}

} // namespace

void OwnChromeTrace::takeOther(const ChromeArgument &entry)
{
    const std::string value = shortTextOf(entry.value);
    const auto whole = [&value] {
        const auto number = wholeNumberOf(value);
        return number && isTraceTime(*number) ? *number : 0;
    };
    if (entry.key == kOwnFormatKey)
        m_isOwn = value == kOwnFormat;
    else if (entry.key == kPurposesKey)
        m_saysPurposes = m_isOwn;
    else if (entry.key == kBaseKey)
        m_baseNs = whole();
    else if (entry.key == "device")
        m_origin.device = value;
    else if (entry.key == "source")
        m_origin.source = value;
    else if (entry.key == "program")
        m_origin.program = value;
    else if (entry.key == "wall_clock_offset_ns")
        m_origin.wallClockOffsetNs = whole();
}

bool OwnChromeTrace::takeFrame(const ChromeEvent &event, std::int64_t ns)
{
    const auto figures = figuresOfEvent(event, ns);
    if (!figures)
        return false;
    const auto number = wholeNumberOf(event.argument(kFrameNumberKey));
    m_frames.push_back(*figures);
    m_frameNumbers.push_back(
        {figures->frame, number && *number >= 0 ? static_cast<std::uint64_t>(*number) : figures->frame});
    return true;
}

bool OwnChromeTrace::takeNote(const ChromeEvent &event, std::int64_t ns)
{
    if (m_notes.size() >= kMaxTraceNotes)
        return false;
    const auto lengthNs = static_cast<std::int64_t>(
        std::min(countOf(event.argument(kNoteLengthKey)).value_or(0), static_cast<std::uint64_t>(kMaxTraceNs)));
    m_notes.push_back({ns, isTracePiece(ns, lengthNs) ? ns + lengthNs : ns, std::string(shortText(event.name))});
    return true;
}

void OwnChromeTrace::fill(LaneInfo &lane, const ChromeEvent &event) const
{
    lane.name = shortTextOf(event.argument("lane_name"));
    lane.detail = shortTextOf(event.argument("detail"));
    lane.emulated =
        m_saysPurposes ? countOf(event.argument(kEmulatedKey)).value_or(0) != 0 : isEmulatedByDetail(lane.detail);
    lane.gpu = gpuNumberOf(event.argument(kGpuKey));
    lane.role = laneRoleByName(shortTextOf(event.argument("role"))).value_or(LaneRole::Tool);
}

std::optional<CounterInfo> OwnChromeTrace::counterOf(const ChromeEvent &event)
{
    const auto id = countOf(event.argument("id"));
    const auto lane = countOf(event.argument(kLaneKey));
    if (!id || *id > std::numeric_limits<CounterId>::max())
        return std::nullopt;
    CounterInfo info{static_cast<CounterId>(*id), shortTextOf(event.argument("name")),
                     shortTextOf(event.argument("unit")), std::nullopt};
    if (lane && *lane < ForeignLanes::kMaxLanes)
        info.lane = static_cast<LaneId>(*lane);
    return info;
}

void OwnChromeTrace::fill(TraceMark &mark, const ChromeEvent &event)
{
    mark.kind = markKindByName(shortTextOf(event.argument("kind"))).value_or(TraceMark::Kind::Other);
    mark.rule = shortTextOf(event.argument("rule"));
    mark.fix = shortTextOf(event.argument("fix"));
}

bool OwnChromeTrace::moveTo(Trace &trace, Progress &progress, double fraction)
{
    trace.setNotes(std::move(m_notes));
    const auto byStart = [](const FrameFigures &a, const FrameFigures &b) { return a.startNs < b.startNs; };
    if (!watchedStableSort(m_frames, byStart, progress, fraction))
        return false;
    trace.add(m_frames);
    const auto byFrame = [](const FrameNumber &a, const FrameNumber &b) { return a.frame < b.frame; };
    if (!watchedStableSort(m_frameNumbers, byFrame, progress, fraction))
        return false;
    trace.add(m_frameNumbers);
    return true;
}

} // namespace jetscope
