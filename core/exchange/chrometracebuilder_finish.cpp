// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chrometracebuilder.h"

#include "core/trace/importaccount.h"
#include "core/trace/timelimits.h"
#include "core/trace/watchedsort.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

using Fated = ChromeTally::Fate; // Not Fate, which another file of a unity build names.

bool isDeviceWork(Category category)
{
    return category == Category::Kernel || category == Category::Copy;
}

} // namespace

/// Times that cannot be would stretch the trace to years. Nothing of them is shown.
bool ChromeTraceBuilder::leaveOutFarTimes(Progress &progress)
{
    if (m_own || !mayHaveFarTimes(m_firstNs, m_lastNs, m_hasZero))
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
    const auto times = plausibleTimes(std::move(starts), m_baseNs, progress, kChromeReadShare);
    return times && keepWithin(*times, progress);
}

bool ChromeTraceBuilder::keepWithin(const PlausibleTimes &times, Progress &progress)
{
    const auto leaveOut = [this](char phase) { (void)m_tally.move(phase, Fated::Span, Fated::FarTime); };
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
            if (isOut && m_tally.move(phase, Fated::Mark, Fated::FarTime) > 0)
                break;
        return isOut;
    });
    (void)m_tally.move('C', Fated::Value, Fated::FarTime, m_counters.keepWithin(times));
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
    if (m_own)
        return true;
    m_threads.nameLanes();
    m_async.nameLanes(m_threads);
    return cutOverlongWork(progress) && findFramesOfOthers(progress);
}

bool ChromeTraceBuilder::cutOverlongWork(Progress &progress)
{
    TraceNames &names = m_trace.names();
    const auto isWork = [&](const TraceSpan &span) { return names.category(span.name) != Category::Tool; };
    const auto cut = [&](TraceSpan &span) {
        ++m_overlong;
        const SpanName &name = names.at(span.name);
        span.name = names.intern(name.text, name.category, name.purpose, Certainty::Bounded);
    };
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        const auto lane = static_cast<LaneId>(i);
        if (m_threads.isStream(lane) && !m_lanes.cutOverlong(lane, isWork, cut, progress, kChromeReadShare))
            return false;
    }
    return true;
}

bool ChromeTraceBuilder::findFramesOfOthers(Progress &progress)
{
    ForeignFrames frames(m_lanes, m_trace.names(), m_frameNames, m_facts,
                         [this](LaneId lane) { return m_threads.isSummary(lane); });
    if (!frames.find(m_marks, progress, kChromeReadShare) || !renameSpans(frames, progress))
        return false;
    m_frameChoices = frames.choices();
    m_found = std::move(frames.found());
    return true;
}

/// The range of a frame becomes Category::Tool, because only the spans within it are work, and so do lanes that sum up
/// others. GPU spans without a known category become kernels or copies. The thread with the frames becomes the pipeline
/// thread.
bool ChromeTraceBuilder::renameSpans(const ForeignFrames &frames, Progress &progress)
{
    TraceNames &names = m_trace.names();
    const FoundFrames &found = frames.found();
    std::vector<bool> isFrame(names.size());
    for (std::size_t i = 0; i < isFrame.size(); ++i)
        isFrame[i] = frames.isFrame(static_cast<TraceName>(i));
    const auto becomesTool = [&](TraceSpan &span) { span.name = names.intern(names.text(span.name), Category::Tool); };
    const auto isRange = [&](const TraceSpan &span) { return span.name < isFrame.size() && isFrame[span.name]; };
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        LaneInfo &info = m_lanes.info(static_cast<LaneId>(i));
        const bool onGpu = isGpuLane(info.role);
        const bool isSummary = m_threads.isSummary(info.id);
        if (info.role == LaneRole::CpuStage && !found.periods.empty() && !found.isMark && found.thread == i)
            info.role = LaneRole::Pipeline;
        if (found.periods.empty() && !onGpu && !isSummary)
            continue;
        // What was only guessed to be the range of a frame is other work on other threads, and where nothing lies in
        // it.
        const bool isGuess = found.sign == FrameSign::Covers;
        const auto take = [&](TraceSpan &span, bool encloses) {
            if (encloses)
                becomesTool(span);
        };
        if (isGuess && found.thread == i && !m_lanes.eachRange(info.id, isRange, take, progress, kChromeReadShare))
            return false;
        m_lanes.each(info.id, [&](TraceSpan &span) {
            const Category category = names.category(span.name);
            if (isSummary || (!isGuess && isRange(span) && !(onGpu && isDeviceWork(category))))
                becomesTool(span);
            else if (onGpu && category == Category::CpuStage)
                span.name = names.intern(names.text(span.name), deviceWorkOf(names.text(span.name)),
                                         names.certainty(span.name));
        });
        if (!progress.advance(kChromeReadShare))
            return false;
    }
    return true;
}

bool ChromeTraceBuilder::addMarksAndFrames(Progress &progress)
{
    for (TraceMark &mark : m_marks)
        m_trace.add(std::move(mark));
    m_marks = {};
    m_trace.setNotes(std::move(m_notes));
    const auto byStart = [](const FrameFigures &a, const FrameFigures &b) { return a.startNs < b.startNs; };
    if (!watchedStableSort(m_frames, byStart, progress, kChromeMoveShare))
        return false;
    m_trace.add(m_frames);
    const auto byFrame = [](const FrameNumber &a, const FrameNumber &b) { return a.frame < b.frame; };
    if (!watchedStableSort(m_frameNumbers, byFrame, progress, kChromeMoveShare))
        return false;
    m_trace.add(m_frameNumbers);
    return m_own || addFrames(m_trace, m_found.periods, progress, kChromeMoveShare, 1);
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
    m_tally.add(ChromeTally::kNoPhase, Fated::Damaged, file.damaged);
    if (file.damaged > 0)
        m_tally.setExample(Fated::Damaged, "event " + std::to_string(file.firstDamaged));
    m_tally.add(ChromeTally::kNoPhase, Fated::TooLarge, file.tooLarge);
    m_tally.add(ChromeTally::kNoPhase, Fated::CutShort, file.notWhole);
    m_tally.add(ChromeTally::kNoPhase, Fated::Empty, file.empty);
    (void)m_tally.move('E', Fated::Span, Fated::NothingBegan, m_threads.unmatchedEnds());
    for (const char phase : {'e', 'F'})
        (void)m_tally.move(phase, Fated::Span, Fated::NothingBegan, m_async.unmatchedEnds(phase));
    for (const char phase : {'s', 't', 'f'}) {
        (void)m_tally.move(phase, Fated::Arrow, Fated::WithoutSpan, m_flows.withoutSpan(phase));
        (void)m_tally.move(phase, Fated::Arrow, Fated::Loose, m_flows.loose(phase));
    }
    std::uint64_t arrows = m_trace.edgesLeftOut();
    for (const char phase : {'f', 't'})
        arrows -= m_tally.move(phase, Fated::Arrow, Fated::TooManyArrows, arrows);
    std::uint64_t marks = m_trace.marks().discarded();
    for (const char phase : {'i', 'I', 'R'})
        marks -= m_tally.move(phase, Fated::Mark, Fated::TooManyMarks, marks);
    for (const char phase : {'X', 'B', 'E', 'b', 'e', 'n', 'S', 'F', 'T', 'p'})
        (void)m_tally.move(phase, Fated::Span, Fated::TooDeep, m_lanes.refused(phase));
}

/// The trace knows how many spans are too old for its limit, but not of which events they were made.
void ChromeTraceBuilder::countOlder()
{
    std::uint64_t spans = m_trace.droppedSpans();
    spans -= m_tally.move('X', Fated::Span, Fated::Older, spans);
    const std::uint64_t pairs = m_tally.move('B', Fated::Span, Fated::Older, spans);
    (void)m_tally.move('E', Fated::Span, Fated::Older, pairs);
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
    if (!m_own)
        notes.push_back(m_found.howFound(m_frameNames));
    else if (!m_frameNames.asked().empty())
        notes.emplace_back("the trace has frames of its own, made by Jetscope; --frames-by is not needed");
    return notes;
}

Result<OpenedTrace> ChromeTraceBuilder::finish(const ChromeFile &file, Progress &progress, std::uint64_t mostSpans)
{
    m_origin.file = m_path;
    if (!m_own && !isUnixTime(m_firstNs)) // Some say it although their times need no base.
        m_origin.wallClockOffsetNs = file.baseUnixNs;
    m_trace.setOrigin(std::move(m_origin));
    const bool anyTime = m_lastNs != std::numeric_limits<std::int64_t>::min();
    if (!anyTime && m_tally.count(Fated::WrongTime) > 0)
        return sentence(m_path + " has no event whose time can be read (" + m_tally.example(Fated::WrongTime)
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
