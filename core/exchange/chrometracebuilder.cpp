// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chrometracebuilder.h"

#include "core/exchange/chromeformat.h"
#include "core/exchange/jsontoken.h"
#include "core/figures/framefigures.h"
#include "core/recording/span.h"
#include "core/text/shorttext.h"
#include "core/trace/timelimits.h"
#include "core/tracefile/oldlabels.h"
#include "core/tracefile/tracefileschema.h"

#include <algorithm>
#include <span>
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

using Fate = ChromeTally::Fate;

std::string textOfToken(std::string_view token)
{
    std::string text = readableOf(token);
    text.resize(shortText(text).size());
    return text;
}

/// Some producers write numbers as strings.
std::string_view unquoted(std::string_view token)
{
    return plainTextOf(token).value_or(token);
}

std::optional<std::uint32_t> gpuNumberOf(std::string_view token)
{
    const auto number = countOf(unquoted(token));
    return number && *number <= kMaxGpuNumber ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

} // namespace

std::optional<std::int64_t> ChromeTraceBuilder::timeOf(const ChromeEvent &event)
{
    const auto ns = nanosecondsOf(unquoted(event.time));
    // Times may be negative: some producers count from a moment within the trace.
    if (!ns || !isTraceTime(*ns) || !isTraceTime(m_baseNs + *ns)) {
        m_tally.add(event.phase, Fate::WrongTime, event.number, event.time);
        return std::nullopt;
    }
    const std::int64_t time = m_baseNs + *ns;
    m_firstNs = std::min(m_firstNs, time);
    m_lastNs = std::max(m_lastNs, time);
    m_hasZero = m_hasZero || *ns == 0;
    return time;
}

std::optional<ChromeTraceBuilder::Piece> ChromeTraceBuilder::pieceOf(const ChromeEvent &event, Category category)
{
    const auto time = timeOf(event);
    if (!time)
        return std::nullopt;
    const std::string_view name = shortText(event.name);
    m_cutNames += name.size() < event.name.size() ? 1 : 0;
    Certainty certainty = Certainty::Exact;
    std::optional<Purpose> purpose;
    Piece piece;
    piece.span.startNs = *time;
    for (const ChromeArgument &argument : event.arguments) {
        if (argument.key == "frame")
            piece.span.frame = static_cast<std::uint32_t>(
                std::min(countOf(argument.value).value_or(kNoFrame), std::uint64_t{kNoFrame}));
        else if (argument.key == "bytes")
            piece.span.bytes = countOf(argument.value).value_or(0);
        else if (argument.key == "depth")
            piece.depth =
                static_cast<std::int16_t>(std::min(countOf(argument.value).value_or(0), std::uint64_t{UINT8_MAX}));
        else if (argument.key == "correlation")
            piece.work = static_cast<std::uint32_t>(countOf(unquoted(argument.value)).value_or(0));
        else if (argument.key == "stream")
            piece.stream = argument.value;
        else if (argument.key == "device")
            piece.gpu = gpuNumberOf(argument.value);
        else if (argument.key == "step_num")
            piece.isStep = true;
        else if (m_own && argument.key == kCertaintyKey)
            certainty = certaintyByName(textOfToken(argument.value)).value_or(Certainty::Exact);
        else if (m_saysPurposes && argument.key == kPurposeKey)
            purpose = purposeByKey(textOfToken(argument.value));
    }
    if (!purpose)
        purpose = m_saysPurposes ? usualPurpose(category) : purposeOfLabel(name, category);
    piece.span.name = m_trace.names().intern(name, category, *purpose, certainty);
    return piece;
}

/// ONNX Runtime writes the work of all streams for one thread, -1.
std::optional<LaneId> ChromeTraceBuilder::laneFor(const ChromeEvent &event, const ChromeKind &kind, const Piece &piece)
{
    if (kind.place == ChromeKind::Place::Gpu && event.thread.starts_with('-') && !piece.stream.empty())
        return m_threads.streamLaneOf(event.process, piece.stream);
    return m_threads.laneOf(event);
}

void ChromeTraceBuilder::takeComplete(const ChromeEvent &event)
{
    if (m_own && event.category == kFrameCategory)
        return takeFrame(event);
    const ChromeKind kind = m_kinds.of(event.category, event.name);
    auto piece = pieceOf(event, kind.category);
    if (!piece)
        return;
    TraceSpan &span = piece->span;
    const auto duration = event.duration.empty() ? 0 : nanosecondsOf(unquoted(event.duration));
    if (!duration || !isTracePiece(span.startNs, *duration))
        return m_tally.add('X', Fate::WrongDuration, event.number, event.duration);
    span.durationNs = *duration;
    m_lastNs = std::max(m_lastNs, span.endNs());
    const auto lane = laneFor(event, kind, *piece);
    if (!lane)
        return m_tally.add('X', Fate::TooManyThreads);
    if (kind.isFunction)
        m_facts.setFunction(span.name);
    if (piece->isStep || (event.category == "Session" && event.name == "model_run"))
        m_facts.setStep(span.name);
    m_threads.notePlace(*lane, kind.place, piece->gpu);
    m_lanes.add(*lane, span, m_own ? piece->depth : ForeignLanes::kAnyDepth, {'X', '\0', piece->work});
    m_tally.add('X', Fate::Span);
}

void ChromeTraceBuilder::takeEdge(const ChromeEvent &event)
{
    const ChromeKind kind = m_kinds.of(event.category, event.name);
    const auto piece = pieceOf(event, kind.category);
    if (!piece)
        return;
    const auto lane = laneFor(event, kind, *piece);
    if (!lane)
        return m_tally.add(event.phase, Fate::TooManyThreads);
    if (event.phase == 'B') {
        m_threads.notePlace(*lane, kind.place, piece->gpu);
        m_threads.begin(*lane, piece->span);
    } else {
        m_threads.end(*lane, piece->span);
    }
    m_tally.add(event.phase, Fate::Span);
}

void ChromeTraceBuilder::takeInstant(const ChromeEvent &event)
{
    const auto time = timeOf(event);
    if (!time)
        return;
    if (m_own && event.category == kNoteCategory && m_notes.size() < kMaxTraceNotes) {
        const auto lengthNs = static_cast<std::int64_t>(
            std::min(countOf(event.argument(kNoteLengthKey)).value_or(0), static_cast<std::uint64_t>(kMaxTraceNs)));
        m_notes.push_back(
            {*time, isTracePiece(*time, lengthNs) ? *time + lengthNs : *time, std::string(shortText(event.name))});
        return m_tally.add(event.phase, Fate::Mark);
    }
    TraceMark mark;
    mark.kind = TraceMark::Kind::Other;
    mark.timeNs = *time;
    mark.text = shortText(event.name);
    if (const auto frame = countOf(event.argument("frame")))
        mark.frame = static_cast<std::uint32_t>(std::min(*frame, std::uint64_t{kNoFrame}));
    if (m_own && event.category == kMarkCategory) {
        mark.kind = markKindByName(textOfToken(event.argument("kind"))).value_or(TraceMark::Kind::Other);
        mark.rule = textOfToken(event.argument("rule"));
        mark.fix = textOfToken(event.argument("fix"));
    }
    m_marks.push_back(std::move(mark));
    m_tally.add(event.phase, Fate::Mark);
}

void ChromeTraceBuilder::takeCounters(const ChromeEvent &event)
{
    const auto time = timeOf(event);
    if (!time)
        return;
    switch (m_counters.take(event, *time, m_own)) {
    case ChromeCounters::Taken::AValue:
        return m_tally.add('C', Fate::Value);
    case ChromeCounters::Taken::NoNumber:
        return m_tally.add('C', Fate::NoNumber);
    case ChromeCounters::Taken::NoRoom:
        return m_tally.add('C', Fate::TooManyCounters);
    }
}

void ChromeTraceBuilder::takeFlow(const ChromeEvent &event)
{
    const auto time = timeOf(event);
    if (!time)
        return;
    const auto lane = m_threads.laneOf(event);
    if (!lane)
        m_tally.add(event.phase, Fate::TooManyThreads);
    else
        m_tally.add(event.phase, m_flows.take(event, *lane, *time) ? Fate::Arrow : Fate::TooManyArrows);
}

void ChromeTraceBuilder::takeAsync(const ChromeEvent &event)
{
    if (const auto piece = pieceOf(event, Category::Tool))
        m_tally.add(event.phase, m_async.take(event, piece->span) ? Fate::Span : Fate::TooManyThreads);
}

void ChromeTraceBuilder::takeFrame(const ChromeEvent &event)
{
    const auto time = timeOf(event);
    if (!time)
        return;
    const auto figures = figuresOfEvent(event, *time);
    if (!figures)
        return m_tally.add('X', Fate::WrongFigures, event.number, event.argument("period_ns"));
    const auto number = wholeNumberOf(event.argument(kFrameNumberKey));
    m_frames.push_back(*figures);
    m_frameNumbers.push_back(
        {figures->frame, number && *number >= 0 ? static_cast<std::uint64_t>(*number) : figures->frame});
    m_tally.add('X', Fate::Frame);
}

void ChromeTraceBuilder::takeOther(const ChromeArgument &entry)
{
    const std::string value = textOfToken(entry.value);
    const auto whole = [&value] {
        const auto number = wholeNumberOf(value);
        return number && isTraceTime(*number) ? *number : 0;
    };
    if (entry.key == kOwnFormatKey)
        m_own = value == kOwnFormat;
    else if (entry.key == kPurposesKey)
        m_saysPurposes = m_own;
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

void ChromeTraceBuilder::takeOwnLane(const ChromeEvent &event)
{
    const auto id = countOf(event.argument(kLaneKey));
    if (!id || *id >= ForeignLanes::kMaxLanes)
        return;
    while (m_lanes.lanes() <= *id)
        (void)m_lanes.addLane(LaneRole::Tool, {});
    LaneInfo &info = m_lanes.info(static_cast<LaneId>(*id));
    info.name = textOfToken(event.argument("lane_name"));
    info.detail = textOfToken(event.argument("detail"));
    info.emulated =
        m_saysPurposes ? countOf(event.argument(kEmulatedKey)).value_or(0) != 0 : isEmulatedByDetail(info.detail);
    info.gpu = gpuNumberOf(event.argument(kGpuKey));
    info.role = laneRoleByName(textOfToken(event.argument("role"))).value_or(LaneRole::Tool);
    m_threads.setLane(event, info.id);
}

void ChromeTraceBuilder::takeOwnCounter(const ChromeEvent &event)
{
    const auto id = countOf(event.argument("id"));
    const auto lane = countOf(event.argument(kLaneKey));
    if (!id || *id > std::numeric_limits<CounterId>::max())
        return;
    CounterInfo info{static_cast<CounterId>(*id), textOfToken(event.argument("name")),
                     textOfToken(event.argument("unit")), std::nullopt};
    if (lane && *lane < ForeignLanes::kMaxLanes)
        info.lane = static_cast<LaneId>(*lane);
    m_counters.setOwn(textOfToken(event.argument("series")), std::move(info));
}

void ChromeTraceBuilder::takeMetadata(const ChromeEvent &event)
{
    if (m_own && event.name == "thread_name")
        takeOwnLane(event);
    else if (m_own && event.name == kCounterEvent)
        takeOwnCounter(event);
    else if (event.name == "thread_name")
        m_threads.setThreadName(event, textOfToken(event.argument("name")));
    else if (event.name == "process_name")
        m_threads.setProcessName(event, textOfToken(event.argument("name")));
    else if (event.name == "process_labels")
        m_threads.setProcessLabels(event, textOfToken(event.argument("labels")));
    else {
        m_tally.addUnusedName(event.name);
        return m_tally.add('M', Fate::UnusedName);
    }
    m_tally.add('M', Fate::Name);
}

void ChromeTraceBuilder::take(const ChromeEvent &event)
{
    switch (event.phase) {
    case 'X':
        return takeComplete(event);
    case 'B':
    case 'E':
        return takeEdge(event);
    case 'i':
    case 'I':
    case 'R':
        return takeInstant(event);
    case 'C':
        return takeCounters(event);
    case 'M':
        return takeMetadata(event);
    case 's':
    case 't':
    case 'f':
        return takeFlow(event);
    case 'b':
    case 'n':
    case 'e':
    case 'S':
    case 'T':
    case 'p':
    case 'F':
        return takeAsync(event);
    default:
        m_tally.add(event.phase, Fate::OtherKind);
    }
}

} // namespace jetscope
