// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chrometracebuilder.h"

#include "core/exchange/chromeformat.h"
#include "core/exchange/foreignwork.h"
#include "core/exchange/jsontoken.h"
#include "core/recording/span.h"
#include "core/text/shorttext.h"
#include "core/trace/importaccount.h"
#include "core/trace/timelimits.h"
#include "core/trace/watchedsort.h"
#include "core/tracefile/oldlabels.h"
#include "core/tracefile/tracefileschema.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

using Fate = ChromeTally::Fate;

/// Some producers write numbers as strings.
std::string_view unquoted(std::string_view token)
{
    return plainTextOf(token).value_or(token);
}

} // namespace

// --- events

std::optional<std::int64_t> ChromeTraceBuilder::timeOf(const ChromeEvent &event)
{
    const auto ns = nanosecondsOf(unquoted(event.time));
    // Times may be negative: some producers count from a moment within the trace.
    if (!ns || !isTraceTime(*ns) || !isTraceTime(m_own.baseNs() + *ns)) {
        m_tally.add(event.phase, Fate::WrongTime, event.number, event.time);
        return std::nullopt;
    }
    const std::int64_t time = m_own.baseNs() + *ns;
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
        else if (m_own.isOwn() && argument.key == kCertaintyKey)
            certainty = certaintyByName(shortTextOf(argument.value)).value_or(Certainty::Exact);
        else if (m_own.saysPurposes() && argument.key == kPurposeKey)
            purpose = purposeByKey(shortTextOf(argument.value));
    }
    if (!purpose)
        purpose = m_own.saysPurposes() ? usualPurpose(category) : purposeOfLabel(name, category);
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
    if (m_own.isOwn() && event.category == kFrameCategory)
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
    span.bytes = kind.setsMemory ? 0 : span.bytes;
    m_lastNs = std::max(m_lastNs, span.endNs());
    const auto lane = laneFor(event, kind, *piece);
    if (!lane)
        return m_tally.add('X', Fate::TooManyThreads);
    if (kind.isFunction)
        m_facts.setFunction(span.name);
    if (piece->isStep || (event.category == "Session" && event.name == "model_run"))
        m_facts.setStep(span.name);
    m_threads.notePlace(*lane, kind.place, piece->gpu);
    m_lanes.add(*lane, span, m_own.isOwn() ? piece->depth : ForeignLanes::kAnyDepth, {'X', '\0', piece->work});
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
        m_threads.begin(*lane, piece->span, event.name);
    } else {
        m_threads.end(*lane, piece->span, event.name);
    }
    m_tally.add(event.phase, Fate::Span);
}

void ChromeTraceBuilder::takeInstant(const ChromeEvent &event)
{
    const auto time = timeOf(event);
    if (!time)
        return;
    if (m_own.isOwn() && event.category == kNoteCategory && m_own.takeNote(event, *time))
        return m_tally.add(event.phase, Fate::Mark);
    TraceMark mark;
    mark.kind = TraceMark::Kind::Other;
    mark.timeNs = *time;
    mark.text = shortText(event.name);
    if (const auto frame = countOf(event.argument("frame")))
        mark.frame = static_cast<std::uint32_t>(std::min(*frame, std::uint64_t{kNoFrame}));
    if (m_own.isOwn() && event.category == kMarkCategory)
        OwnChromeTrace::fill(mark, event);
    m_marks.push_back(std::move(mark));
    m_tally.add(event.phase, Fate::Mark);
}

void ChromeTraceBuilder::takeCounters(const ChromeEvent &event)
{
    const auto time = timeOf(event);
    if (!time)
        return;
    switch (m_counters.take(event, *time, m_own.isOwn())) {
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
    if (!m_own.takeFrame(event, *time))
        return m_tally.add('X', Fate::WrongFigures, event.number, event.argument("period_ns"));
    m_tally.add('X', Fate::Frame);
}

void ChromeTraceBuilder::takeOwnLane(const ChromeEvent &event)
{
    const auto id = countOf(event.argument(kLaneKey));
    if (!id || *id >= ForeignLanes::kMaxLanes)
        return;
    while (m_lanes.lanes() <= *id)
        (void)m_lanes.addLane(LaneRole::Tool, {});
    LaneInfo &info = m_lanes.info(static_cast<LaneId>(*id));
    m_own.fill(info, event);
    m_threads.setLane(event, info.id);
}

void ChromeTraceBuilder::takeOwnCounter(const ChromeEvent &event)
{
    if (auto counter = OwnChromeTrace::counterOf(event))
        m_counters.setOwn(shortTextOf(event.argument("series")), std::move(*counter));
}

void ChromeTraceBuilder::takeMetadata(const ChromeEvent &event)
{
    if (m_own.isOwn() && event.name == "thread_name")
        takeOwnLane(event);
    else if (m_own.isOwn() && event.name == kCounterEvent)
        takeOwnCounter(event);
    else if (event.name == "thread_name")
        m_threads.setThreadName(event, shortTextOf(event.argument("name")));
    else if (event.name == "process_name")
        m_threads.setProcessName(event, shortTextOf(event.argument("name")));
    else if (event.name == "process_labels")
        m_threads.setProcessLabels(event, shortTextOf(event.argument("labels")));
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

// --- what they make together

/// Times that cannot be would stretch the trace to years. Nothing of them is shown.
bool ChromeTraceBuilder::leaveOutFarTimes(Progress &progress)
{
    if (m_own.isOwn() || !mayHaveFarTimes(m_firstNs, m_lastNs, m_hasZero))
        return true;
    std::vector<std::int64_t> starts;
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        m_lanes.each(static_cast<LaneId>(i), [&](const TraceSpan &span) { starts.push_back(span.startNs); });
        if (!progress.advance(kChromeReadShare))
            return false;
    }
    const auto take = [&](std::int64_t ns) { starts.push_back(ns); };
    m_threads.eachTime(take);
    m_async.eachTime(take);
    m_counters.eachTime(take);
    for (const TraceMark &mark : m_marks)
        starts.push_back(mark.timeNs);
    const auto times = plausibleTimes(std::move(starts), m_own.baseNs(), progress, kChromeReadShare);
    return times && keepWithin(*times, progress);
}

bool ChromeTraceBuilder::keepWithin(const PlausibleTimes &times, Progress &progress)
{
    const auto leaveOut = [this](char phase) { (void)m_tally.move(phase, Fate::Span, Fate::FarTime); };
    m_lastNs = std::min(m_lastNs, times.starts.endNs);
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        m_lanes.removeIf(static_cast<LaneId>(i), [&](const TraceSpan &span, const ForeignLanes::Source &source) {
            const bool isOut = !times.has(span.startNs, span.endNs());
            if (isOut)
                leaveOut(source.begin);
            else
                m_lastNs = std::max(m_lastNs, span.endNs());
            return isOut;
        });
        if (!progress.advance(kChromeReadShare))
            return false;
    }
    m_threads.keepWithin(times, leaveOut);
    m_async.keepWithin(times, leaveOut);
    std::erase_if(m_marks, [&](const TraceMark &mark) {
        const bool isOut = !times.has(mark.timeNs);
        for (const char phase : {'i', 'I', 'R'})
            if (isOut && m_tally.move(phase, Fate::Mark, Fate::FarTime) > 0)
                break;
        return isOut;
    });
    (void)m_tally.move('C', Fate::Value, Fate::FarTime, m_counters.keepWithin(times));
    return true;
}

/// Creates spans from B and E events, sets names and roles of lanes, and finds frames.
bool ChromeTraceBuilder::settleLanes(Progress &progress)
{
    if (!leaveOutFarTimes(progress) || !m_threads.matchEdges(m_lastNs, progress, kChromeReadShare)
        || !m_async.match(m_lastNs, progress, kChromeReadShare))
        return false;
    const auto byTime = [](const TraceMark &a, const TraceMark &b) { return a.timeNs < b.timeNs; };
    if (!watchedStableSort(m_marks, byTime, progress, kChromeReadShare))
        return false;
    if (m_own.isOwn())
        return true;
    m_threads.nameLanes();
    m_async.nameLanes(m_threads);
    return cutOverlongWork(m_lanes, m_threads, m_trace.names(), m_overlong, progress, kChromeReadShare)
        && findFramesOfOthers(progress);
}

bool ChromeTraceBuilder::findFramesOfOthers(Progress &progress)
{
    ForeignFrames frames(m_lanes, m_trace.names(), m_frameNames, m_facts,
                         [this](LaneId lane) { return m_threads.isSummary(lane); });
    if (!frames.find(m_marks, progress, kChromeReadShare)
        || !tellWorkFromRanges(m_lanes, m_threads, m_trace.names(), frames, progress, kChromeReadShare))
        return false;
    m_frameChoices = frames.choices();
    m_found = std::move(frames.found());
    return true;
}

bool ChromeTraceBuilder::addMarksAndFrames(Progress &progress)
{
    for (TraceMark &mark : m_marks)
        m_trace.add(std::move(mark));
    m_marks = {};
    if (!m_own.moveTo(m_trace, progress, kChromeMoveShare))
        return false;
    return m_own.isOwn() || addFrames(m_trace, m_found.periods, progress, kChromeMoveShare, 1);
}

bool ChromeTraceBuilder::addAll(Progress &progress)
{
    std::vector<SpanEdge> edges;
    if (!settleLanes(progress)
        || !m_lanes.moveTo(m_trace, m_flows.points(), progress, kChromeReadShare, kChromeMoveShare)
        || !m_flows.join(edges, progress, kChromeMoveShare)
        || !m_counters.moveTo(m_trace, m_threads, progress, kChromeMoveShare))
        return false;
    m_trace.add(edges);
    return addMarksAndFrames(progress);
}

/// What was read and did not come to be shown in the end.
void ChromeTraceBuilder::settleTally(const ChromeFile &file)
{
    m_tally.add(ChromeTally::kNoPhase, Fate::Damaged, file.damaged);
    if (file.damaged > 0)
        m_tally.setExample(Fate::Damaged, "event " + std::to_string(file.firstDamaged));
    m_tally.add(ChromeTally::kNoPhase, Fate::TooLarge, file.tooLarge);
    m_tally.add(ChromeTally::kNoPhase, Fate::CutShort, file.notWhole);
    m_tally.add(ChromeTally::kNoPhase, Fate::Empty, file.empty);
    (void)m_tally.move('E', Fate::Span, Fate::NothingBegan, m_threads.unmatchedEnds());
    for (const char phase : {'e', 'F'})
        (void)m_tally.move(phase, Fate::Span, Fate::NothingBegan, m_async.unmatchedEnds(phase));
    for (const char phase : {'s', 't', 'f'}) {
        (void)m_tally.move(phase, Fate::Arrow, Fate::WithoutSpan, m_flows.withoutSpan(phase));
        (void)m_tally.move(phase, Fate::Arrow, Fate::Loose, m_flows.loose(phase));
    }
    std::uint64_t arrows = m_trace.edgesLeftOut();
    for (const char phase : {'f', 't'})
        arrows -= m_tally.move(phase, Fate::Arrow, Fate::TooManyArrows, arrows);
    std::uint64_t marks = m_trace.marks().discarded();
    for (const char phase : {'i', 'I', 'R'})
        marks -= m_tally.move(phase, Fate::Mark, Fate::TooManyMarks, marks);
    for (const char phase : {'X', 'B', 'E', 'b', 'e', 'n', 'S', 'F', 'T', 'p'})
        (void)m_tally.move(phase, Fate::Span, Fate::TooDeep, m_lanes.refused(phase));
}

/// The trace knows how many spans are too old for its limit, but not of which events they were made.
void ChromeTraceBuilder::countOlder()
{
    std::uint64_t spans = m_trace.droppedSpans();
    spans -= m_tally.move('X', Fate::Span, Fate::Older, spans);
    const std::uint64_t pairs = m_tally.move('B', Fate::Span, Fate::Older, spans);
    (void)m_tally.move('E', Fate::Span, Fate::Older, pairs);
}

std::vector<std::string> ChromeTraceBuilder::notes(const ChromeFile &file) const
{
    std::vector<std::string> notes;
    if (file.cutShort)
        notes.emplace_back("the file ends in the middle; what it has is shown up to its last whole event");
    addCount(notes, file.withoutComma, "events that follow another one without a comma are shown");
    addCount(notes, file.behindEnd, "events behind the end of the list of events are shown");
    addCount(notes, file.textBetween, "places between events with something that is no event, which is left out");
    if (file.hasRest)
        notes.emplace_back("something that is no event stands behind the end of the trace and is left out");
    for (const std::string &field : file.unreadFields)
        notes.push_back("the file also has \"" + field + "\" beside its events, which is not shown");
    addCount(notes, m_counters.leftOut(), "values of counters that are no numbers, or too many, are left out");
    addCount(notes, m_threads.unclosed() + m_async.unclosed(), "spans without an end last until the end of the trace");
    addCount(notes, m_overlong,
             "spans of the GPU that last longer than their stream allows are cut where the next one begins, and their "
             "time is at most that");
    addCount(notes, m_cutNames, "names of spans that have more than 2000 bytes are cut");
    if (!m_own.isOwn())
        notes.push_back(m_found.howFound(m_frameNames));
    else if (!m_frameNames.asked().empty())
        notes.emplace_back("the trace has frames of its own, made by Jetscope; --frames-by is not needed");
    return notes;
}

Result<OpenedTrace> ChromeTraceBuilder::finish(const ChromeFile &file, Progress &progress, std::uint64_t mostSpans)
{
    TraceOrigin &origin = m_own.origin();
    origin.file = m_path;
    if (!m_own.isOwn() && !isUnixTime(m_firstNs)) // Some say it although their times need no base.
        origin.wallClockOffsetNs = file.baseUnixNs;
    m_trace.setOrigin(std::move(origin));
    const bool anyTime = m_lastNs != std::numeric_limits<std::int64_t>::min();
    if (!anyTime && m_tally.count(Fate::WrongTime) > 0)
        return sentence(m_path + " has no event whose time can be read (" + m_tally.example(Fate::WrongTime)
                        + "): times are numbers of microseconds; write the trace again");
    m_lastNs = anyTime ? m_lastNs : 0;
    if (!addAll(progress))
        return cancelledError();
    settleTally(file);
    std::vector<std::string> said = notes(file);
    m_trace.setMostSpans(mostSpans);
    countOlder();
    return OpenedTrace{std::move(m_trace), std::move(said), std::move(m_frameChoices), m_tally.account(file.cut)};
}

} // namespace jetscope
