// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromeimport.h"

#include "core/exchange/chromeasync.h"
#include "core/exchange/chromecounters.h"
#include "core/exchange/chromeevents.h"
#include "core/exchange/chromeflows.h"
#include "core/exchange/chromeformat.h"
#include "core/exchange/chromeframe.h"
#include "core/exchange/chromethreads.h"
#include "core/exchange/framechoices.h"
#include "core/exchange/frameperiods.h"
#include "core/exchange/jsontoken.h"
#include "core/exchange/leftout.h"
#include "core/exchange/shorttext.h"
#include "core/exchange/watchedsort.h"
#include "core/trace/timelimits.h"
#include "core/tracefile/tracefileschema.h"

#include <algorithm>
#include <limits>

namespace jetscope {

namespace {

// Shares of the progress: reading, then building the trace.
constexpr double kReadShare = 0.7;
constexpr double kMoveShare = 0.9;
constexpr std::uint64_t kEverything = std::numeric_limits<std::uint64_t>::max();

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

/// Builds a trace from the events of one file.
class Import {
public:
    Import(const std::string &path, const std::string &framesBy)
        : m_path(path),
          m_frameNames(framesBy),
          m_trace(kEverything),
          m_threads(m_lanes, m_ids),
          m_async(m_lanes, m_ids),
          m_flows(m_ids)
    {
    }

    void takeOther(const ChromeArgument &entry);
    void take(const ChromeEvent &event);
    Result<OpenedTrace> finish(const ChromeFile &file, Progress &progress, std::uint64_t mostSpans);

private:
    struct Piece {
        TraceSpan span;
        int depth = 0; ///< From the arguments.
    };
    std::optional<std::int64_t> timeOf(const ChromeEvent &event);
    std::optional<Piece> pieceOf(const ChromeEvent &event, Category category);
    void takeComplete(const ChromeEvent &event);
    void takeEdge(const ChromeEvent &event);
    void takeInstant(const ChromeEvent &event);
    void takeCounters(const ChromeEvent &event);
    void takeFlow(const ChromeEvent &event);
    void takeAsync(const ChromeEvent &event);
    void takeFrame(const ChromeEvent &event);
    void takeMetadata(const ChromeEvent &event);
    void takeOwnLane(const ChromeEvent &event);
    void takeOwnCounter(const ChromeEvent &event);

    bool settleLanes(Progress &progress);
    bool findFramesOfOthers(Progress &progress);
    bool addUp(FrameChoices &choices, Progress &progress);
    bool renameSpans(const std::vector<std::optional<FrameSign>> &signs, Progress &progress);
    bool addAll(Progress &progress);
    bool addMarksAndFrames(Progress &progress);
    std::vector<std::string> notes(const ChromeFile &file) const;
    void noteWhatIsLeftOut(std::vector<std::string> &notes) const;

    const std::string &m_path;
    FrameNames m_frameNames;
    Trace m_trace;
    TokenNumbers m_ids;
    ForeignLanes m_lanes;
    ChromeKinds m_kinds;
    ChromeThreads m_threads;
    ChromeAsync m_async;
    ChromeFlows m_flows;
    ChromeCounters m_counters;
    TraceOrigin m_origin;
    bool m_own = false;
    std::int64_t m_baseNs = 0;
    std::vector<TraceMark> m_marks;
    std::vector<FrameFigures> m_frames;
    std::vector<FrameNumber> m_frameNumbers; ///< The source's number of each frame.
    FoundFrames m_found;
    std::vector<std::string> m_frameChoices;
    std::int64_t m_lastNs = std::numeric_limits<std::int64_t>::min();
    LeftOut m_wrongTimes;
    LeftOut m_wrongDurations;
    LeftOut m_wrongFrames;
    std::uint64_t m_otherKinds = 0;
    std::uint64_t m_withoutLane = 0;
    std::uint64_t m_looseFlows = 0;
    std::uint64_t m_cutNames = 0;
};

std::optional<std::int64_t> Import::timeOf(const ChromeEvent &event)
{
    const auto ns = nanosecondsOf(unquoted(event.time));
    // Times may be negative: some producers count from a moment within the trace.
    if (!ns || !isTraceTime(*ns) || !isTraceTime(m_baseNs + *ns)) {
        m_wrongTimes.add(event.number, event.time);
        return std::nullopt;
    }
    const std::int64_t time = m_baseNs + *ns;
    m_lastNs = std::max(m_lastNs, time);
    return time;
}

std::optional<Import::Piece> Import::pieceOf(const ChromeEvent &event, Category category)
{
    const auto time = timeOf(event);
    if (!time)
        return std::nullopt;
    const std::string_view name = shortText(event.name);
    m_cutNames += name.size() < event.name.size() ? 1 : 0;
    Certainty certainty = Certainty::Exact;
    Piece piece;
    piece.span.startNs = *time;
    for (const ChromeArgument &argument : event.arguments) {
        if (argument.key == "frame")
            piece.span.frame = static_cast<std::uint32_t>(
                std::min(countOf(argument.value).value_or(kNoFrame), std::uint64_t{kNoFrame}));
        else if (argument.key == "bytes")
            piece.span.bytes = countOf(argument.value).value_or(0);
        else if (argument.key == "depth")
            piece.depth = static_cast<int>(std::min(countOf(argument.value).value_or(0), std::uint64_t{UINT8_MAX}));
        else if (m_own && argument.key == kCertaintyKey)
            certainty = certaintyByName(textOfToken(argument.value)).value_or(Certainty::Exact);
    }
    piece.span.name = m_trace.names().intern(name, category, certainty);
    return piece;
}

void Import::takeComplete(const ChromeEvent &event)
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
        return m_wrongDurations.add(event.number, event.duration);
    span.durationNs = *duration;
    m_lastNs = std::max(m_lastNs, span.endNs());
    const auto lane = m_threads.laneOf(event);
    if (!lane) {
        ++m_withoutLane;
        return;
    }
    m_threads.notePlace(*lane, kind.place);
    m_lanes.add(*lane, span, m_own ? piece->depth : ForeignLanes::kAnyDepth);
}

void Import::takeEdge(const ChromeEvent &event)
{
    const ChromeKind kind = m_kinds.of(event.category, event.name);
    const auto piece = pieceOf(event, kind.category);
    if (!piece)
        return;
    const auto lane = m_threads.laneOf(event);
    if (!lane) {
        ++m_withoutLane;
    } else if (event.phase == 'B') {
        m_threads.notePlace(*lane, kind.place);
        m_threads.begin(*lane, piece->span);
    } else {
        m_threads.end(*lane, piece->span);
    }
}

void Import::takeInstant(const ChromeEvent &event)
{
    const auto time = timeOf(event);
    if (!time)
        return;
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
}

void Import::takeCounters(const ChromeEvent &event)
{
    if (const auto time = timeOf(event))
        m_counters.take(event, *time, m_own);
}

void Import::takeFlow(const ChromeEvent &event)
{
    const auto time = timeOf(event);
    if (!time)
        return;
    const auto lane = m_threads.laneOf(event);
    if (!lane || !m_flows.take(event, *lane, *time))
        ++m_looseFlows;
}

void Import::takeAsync(const ChromeEvent &event)
{
    const auto piece = pieceOf(event, Category::Tool);
    if (piece && !m_async.take(event, piece->span))
        ++m_withoutLane;
}

void Import::takeFrame(const ChromeEvent &event)
{
    const auto time = timeOf(event);
    if (!time)
        return;
    if (const auto figures = figuresOfEvent(event, *time)) {
        const auto number = wholeNumberOf(event.argument(kFrameNumberKey));
        m_frames.push_back(*figures);
        m_frameNumbers.push_back(
            {figures->frame, number && *number >= 0 ? static_cast<std::uint64_t>(*number) : figures->frame});
    } else
        m_wrongFrames.add(event.number, event.argument("period_ns"));
}

void Import::takeOther(const ChromeArgument &entry)
{
    const std::string value = textOfToken(entry.value);
    const auto whole = [&value] {
        const auto number = wholeNumberOf(value);
        return number && isTraceTime(*number) ? *number : 0;
    };
    if (entry.key == kOwnFormatKey)
        m_own = value == kOwnFormat;
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

void Import::takeOwnLane(const ChromeEvent &event)
{
    const auto id = countOf(event.argument(kLaneKey));
    if (!id || *id >= ForeignLanes::kMostLanes)
        return;
    while (m_lanes.lanes() <= *id)
        (void)m_lanes.addLane(LaneRole::Tool, {});
    LaneInfo &info = m_lanes.info(static_cast<LaneId>(*id));
    info.name = textOfToken(event.argument("lane_name"));
    info.detail = textOfToken(event.argument("detail"));
    info.role = laneRoleByName(textOfToken(event.argument("role"))).value_or(LaneRole::Tool);
    m_threads.setLane(event, info.id);
}

void Import::takeOwnCounter(const ChromeEvent &event)
{
    const auto id = countOf(event.argument("id"));
    const auto lane = countOf(event.argument(kLaneKey));
    if (!id || *id > std::numeric_limits<CounterId>::max())
        return;
    CounterInfo info{static_cast<CounterId>(*id), textOfToken(event.argument("name")),
                     textOfToken(event.argument("unit")), std::nullopt};
    if (lane && *lane < ForeignLanes::kMostLanes)
        info.lane = static_cast<LaneId>(*lane);
    m_counters.setOwn(textOfToken(event.argument("series")), std::move(info));
}

void Import::takeMetadata(const ChromeEvent &event)
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
}

void Import::take(const ChromeEvent &event)
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
        ++m_otherKinds;
    }
}

// --- building the trace

/// Creates spans from B and E events, sets names and roles of lanes, and finds frames.
bool Import::settleLanes(Progress &progress)
{
    if (!m_threads.matchEdges(m_lastNs, progress, kReadShare) || !m_async.match(m_lastNs, progress, kReadShare))
        return false;
    const auto byTime = [](const TraceMark &a, const TraceMark &b) { return a.timeNs < b.timeNs; };
    if (!watchedStableSort(m_marks, byTime, progress, kReadShare))
        return false;
    if (m_own)
        return true;
    m_threads.nameLanes();
    m_async.nameLanes(m_threads);
    return findFramesOfOthers(progress);
}

/// Number and total duration of each name's spans on CPU threads.
bool Import::addUp(FrameChoices &choices, Progress &progress)
{
    const TraceNames &names = m_trace.names();
    std::vector<std::pair<std::uint64_t, std::int64_t>> sums(names.size());
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        const auto lane = static_cast<LaneId>(i);
        if (isGpuLane(m_lanes.info(lane).role))
            continue;
        m_lanes.each(lane, [&](const TraceSpan &span) {
            ++sums[span.name].first;
            sums[span.name].second = saturatingSum(sums[span.name].second, span.durationNs);
        });
        if (!progress.advance(kReadShare))
            return false;
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
        choices.add(names.text(static_cast<TraceName>(i)), sums[i].first, sums[i].second);
    return true;
}

bool Import::findFramesOfOthers(Progress &progress)
{
    FrameChoices choices;
    if (!addUp(choices, progress))
        return false;
    m_frameChoices = choices.names();
    const TraceNames &names = m_trace.names();
    std::vector<std::optional<FrameSign>> signs(names.size());
    for (std::size_t i = 0; i < signs.size(); ++i)
        signs[i] = m_frameNames.signOf(names.text(static_cast<TraceName>(i)));
    std::vector<FrameCandidate> candidates;
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        const auto lane = static_cast<LaneId>(i);
        const bool onDevice = isGpuLane(m_lanes.info(lane).role);
        m_lanes.each(lane, [&](const TraceSpan &span) {
            if (const auto sign = signs[span.name])
                candidates.push_back(
                    {names.text(span.name), lane, {span.startNs, span.endNs()}, false, *sign, onDevice});
        });
        if (!progress.advance(kReadShare))
            return false;
    }
    if (candidates.empty())
        for (const TraceMark &mark : m_marks)
            if (const auto sign = m_frameNames.signOf(mark.text))
                candidates.push_back({mark.text, 0, {mark.timeNs, mark.timeNs}, true, *sign, false});
    std::optional<FoundFrames> found = findFrames(std::move(candidates), m_lastNs, progress, kReadShare);
    if (!found)
        return false;
    m_found = std::move(*found);
    return renameSpans(signs, progress);
}

/// The range of a frame becomes Category::Tool, because only the spans within it are work. GPU spans without a known
/// category become kernels. The thread with the frames becomes the pipeline thread.
bool Import::renameSpans(const std::vector<std::optional<FrameSign>> &signs, Progress &progress)
{
    TraceNames &names = m_trace.names();
    std::vector<bool> isFrame(signs.size());
    for (std::size_t i = 0; i < signs.size(); ++i)
        isFrame[i] = signs[i] == m_found.sign && !m_found.periods.empty()
            && withoutNumber(names.text(static_cast<TraceName>(i))) == m_found.name;
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        LaneInfo &info = m_lanes.info(static_cast<LaneId>(i));
        const bool onGpu = isGpuLane(info.role);
        if (info.role == LaneRole::CpuStage && !m_found.periods.empty() && !m_found.isMark && m_found.thread == i)
            info.role = LaneRole::Pipeline;
        if (m_found.periods.empty() && !onGpu)
            continue;
        m_lanes.each(info.id, [&](TraceSpan &span) {
            if (isFrame[span.name])
                span.name = names.intern(names.text(span.name), Category::Tool);
            else if (onGpu && names.category(span.name) == Category::CpuStage)
                span.name = names.intern(names.text(span.name), Category::Kernel);
        });
        if (!progress.advance(kReadShare))
            return false;
    }
    return true;
}

bool Import::addMarksAndFrames(Progress &progress)
{
    for (TraceMark &mark : m_marks)
        m_trace.add(std::move(mark));
    m_marks = {};
    const auto byStart = [](const FrameFigures &a, const FrameFigures &b) { return a.startNs < b.startNs; };
    if (!watchedStableSort(m_frames, byStart, progress, kMoveShare))
        return false;
    m_trace.add(m_frames);
    const auto byFrame = [](const FrameNumber &a, const FrameNumber &b) { return a.frame < b.frame; };
    if (!watchedStableSort(m_frameNumbers, byFrame, progress, kMoveShare))
        return false;
    m_trace.add(m_frameNumbers);
    return m_own || addFrames(m_trace, m_found.periods, progress, kMoveShare, 1);
}

bool Import::addAll(Progress &progress)
{
    std::vector<SpanEdge> edges;
    if (!settleLanes(progress) || !m_lanes.moveTo(m_trace, m_flows.points(), progress, kReadShare, kMoveShare)
        || !m_flows.join(edges, progress, kMoveShare) || !m_counters.moveTo(m_trace, progress, kMoveShare))
        return false;
    m_trace.add(edges);
    return addMarksAndFrames(progress);
}

void Import::noteWhatIsLeftOut(std::vector<std::string> &notes) const
{
    addCount(notes, m_wrongTimes, "events are left out, because their time is no number of microseconds");
    addCount(notes, m_wrongDurations,
             "events are left out, because their duration is no number of microseconds from 0 on");
    addCount(notes, m_wrongFrames, "frames are left out, because their figures are wrong");
    addCount(notes, m_counters.unreadable(), "values of counters are left out, because they are no numbers");
    addCount(notes, m_otherKinds, "events are of kinds that are not shown (samples, objects, memory)");
    addCount(notes, m_flows.loose() + m_looseFlows,
             "ends of arrows (flows) are left out, because they touch no span or have no other end");
    addCount(notes, m_threads.unmatchedEnds() + m_async.unmatchedEnds(),
             "ends of spans have no beginning and are left out");
    addCount(notes, m_threads.unclosed() + m_async.unclosed(), "spans have no end and last until the end of the trace");
    addCount(notes, m_withoutLane, "spans are left out, because there are more than 10000 threads");
    addCount(notes, m_counters.withoutCounter(), "values are left out, because there are more than 65535 counters");
    addCount(notes, m_cutNames, "spans have names of more than 2000 bytes, which are cut");
    addCount(notes, m_trace.lateSpans(), "spans are left out, because they overlap 256 others");
    addCount(notes, m_trace.marks().discarded(), "marks are left out, the oldest: no more than 100000 are kept");
}

std::vector<std::string> Import::notes(const ChromeFile &file) const
{
    std::vector<std::string> notes;
    if (file.cutShort)
        notes.emplace_back("the file ends in the middle; what it has is shown up to its last whole event");
    if (file.damaged > 0)
        notes.push_back(std::to_string(file.damaged)
                        + " events are left out, because they are no valid JSON (the first is event "
                        + std::to_string(file.firstDamaged) + ")");
    addCount(notes, file.tooLarge, "events are left out, because they take more than 64 MB");
    noteWhatIsLeftOut(notes);
    if (!m_own)
        notes.push_back(m_found.howFound(m_frameNames));
    else if (!m_frameNames.asked().empty())
        notes.emplace_back("the trace has frames of its own, made by Jetscope; --frames-by is not needed");
    return notes;
}

Result<OpenedTrace> Import::finish(const ChromeFile &file, Progress &progress, std::uint64_t mostSpans)
{
    m_origin.file = m_path;
    m_trace.setOrigin(std::move(m_origin));
    const bool anyTime = m_lastNs != std::numeric_limits<std::int64_t>::min();
    if (!anyTime && m_wrongTimes.count() > 0)
        return sentence(m_path + " has no event whose time can be read (" + m_wrongTimes.first()
                        + "): times are numbers of microseconds; write the trace again");
    m_lastNs = anyTime ? m_lastNs : 0;
    if (!addAll(progress))
        return cancelledError();
    std::vector<std::string> said = notes(file);
    m_trace.setMostSpans(mostSpans);
    return OpenedTrace{std::move(m_trace), std::move(said), std::move(m_frameChoices)};
}

} // namespace

Result<OpenedTrace> importChrome(const std::string &path, Progress &progress, std::uint64_t mostSpans,
                                 const std::string &framesBy)
{
    Import import(path, framesBy);
    const ChromeListener listener{[&import](const ChromeArgument &entry) { import.takeOther(entry); },
                                  [&import](const ChromeEvent &event) { import.take(event); }};
    JETSCOPE_TRY_ASSIGN(const ChromeFile file, readChromeEvents(path, listener, progress, kReadShare));
    return import.finish(file, progress, mostSpans);
}

} // namespace jetscope
