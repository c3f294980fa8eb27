// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/exporters.h"

#include "core/exchange/chromeformat.h"
#include "core/exchange/lanethreads.h"
#include "core/system/newfile.h"
#include "core/text/jsontext.h"
#include "core/trace/timelimits.h"
#include "core/tracefile/tracefileschema.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace jetscope {

namespace {

constexpr std::size_t kFlushAt = 1 << 20;
constexpr std::uint64_t kEventsBetweenLooks = 1 << 14;
constexpr Interval kWhole{-kMaxTraceNs, kMaxTraceNs};
constexpr int kCpuProcess = 1;
constexpr int kGpuProcess = 2;
constexpr int kEngineProcess = kChromeProcesses;
constexpr int kFramesThread = 1;
constexpr int kFirstLaneThread = 2;
constexpr std::string_view kEdgeName = "waits for";

int processOf(LaneRole role)
{
    return isGpuLane(role) ? kGpuProcess : role == LaneRole::Engine ? kEngineProcess : kCpuProcess;
}

/// Writes one trace, event by event.
class Writer {
public:
    Writer(const Trace &trace, OutputFile &file, const std::optional<Interval> &range, Progress &progress,
           int processesBefore);

    Status write();

private:
    void writeHead();
    void writeThreads();
    void writeCounterList();
    void writeSpans(const LaneThread &thread, int threadId);
    void writeSpan(const SpanTrack &track, const TraceSpan &span, int process, int threadId);
    void writeFrames();
    void writeCounters();
    void writeMarks();
    void writeNotes();
    void writeEdges();

    /// Begins an event; returns false if cancelled or if writing failed.
    bool begin(char phase, std::string_view name, int process, int threadId);
    void metadata(std::string_view name, int process, int threadId, std::string_view key, std::string_view text);
    void sortIndex(std::string_view name, int process, int threadId, int index);
    void time(std::string_view key, std::int64_t ns);
    void text(std::string_view key, std::string_view value);
    template <class T>
    void number(std::string_view key, T value);
    void key(std::string_view name);
    void beginArguments();
    void end();

    const Trace &m_trace;
    OutputFile &m_file;
    Progress &m_progress;
    const int m_processesBefore;
    Interval m_range;
    std::int64_t m_baseNs = 0;
    std::vector<LaneThread> m_threads;
    std::vector<std::string> m_series; ///< The name of each counter.
    std::string m_out;
    bool m_first = true;
    bool m_inArguments = false;
    bool m_firstKey = true;
    bool m_cancelled = false;
    std::uint64_t m_events = 0;
    double m_allEvents = 1;
};

Writer::Writer(const Trace &trace, OutputFile &file, const std::optional<Interval> &range, Progress &progress,
               int processesBefore)
    : m_trace(trace),
      m_file(file),
      m_progress(progress),
      m_processesBefore(processesBefore),
      m_range(range.value_or(kWhole)),
      m_baseNs(chromeBaseNs(trace)),
      m_threads(laneThreads(trace)),
      m_allEvents(static_cast<double>(trace.spanCount() + trace.frames().endIndex() - trace.frames().firstIndex() + 1))
{
    std::set<std::string> taken;
    for (const CounterTrack &counter : trace.counters()) {
        std::string series = counter.info().name;
        while (!taken.insert(series).second)
            series += " #" + std::to_string(counter.info().id);
        m_series.push_back(std::move(series));
    }
}

void Writer::key(std::string_view name)
{
    m_out += m_firstKey ? "\"" : ",\"";
    m_out += name;
    m_out += "\":";
    m_firstKey = false;
}

void Writer::text(std::string_view name, std::string_view value)
{
    key(name);
    appendJsonText(m_out, value);
}

template <class T>
void Writer::number(std::string_view name, T value)
{
    key(name);
    appendNumber(m_out, value);
}

void Writer::time(std::string_view name, std::int64_t ns)
{
    key(name);
    appendMicroseconds(m_out, ns);
}

bool Writer::begin(char phase, std::string_view name, int process, int threadId)
{
    if (++m_events % kEventsBetweenLooks == 0)
        m_cancelled = m_cancelled || !m_progress.advance(std::min(1.0, static_cast<double>(m_events) / m_allEvents));
    if (m_out.size() >= kFlushAt) {
        m_file.write(m_out);
        m_out.clear();
    }
    if (m_cancelled || m_file.failed())
        return false;
    m_out += m_first ? "\n{\"ph\":\"" : ",\n{\"ph\":\"";
    m_out += phase;
    m_out += '"';
    m_first = m_firstKey = false;
    number("pid", process + m_processesBefore);
    number("tid", threadId);
    text("name", name);
    return true;
}

void Writer::beginArguments()
{
    key("args");
    m_out += '{';
    m_firstKey = m_inArguments = true;
}

void Writer::end()
{
    m_out += m_inArguments ? "}}" : "}";
    m_inArguments = false;
}

void Writer::metadata(std::string_view name, int process, int threadId, std::string_view argument,
                      std::string_view value)
{
    if (!begin('M', name, process, threadId))
        return;
    beginArguments();
    text(argument, value);
    end();
}

void Writer::sortIndex(std::string_view name, int process, int threadId, int index)
{
    if (!begin('M', name, process, threadId))
        return;
    beginArguments();
    number("sort_index", index);
    end();
}

void Writer::writeHead()
{
    const TraceOrigin &origin = m_trace.origin();
    m_out += "{\"displayTimeUnit\":\"ns\",\"otherData\":{";
    m_firstKey = true;
    text(kOwnFormatKey, kOwnFormat);
    text(kPurposesKey, "1");
    text(kBaseKey, std::to_string(m_baseNs));
    text("device", origin.device);
    text("source", origin.source);
    text("program", origin.program);
    text("wall_clock_offset_ns", std::to_string(origin.wallClockOffsetNs));
    m_out += "},\n\"traceEvents\":[";
}

void Writer::writeThreads()
{
    metadata("process_name", kCpuProcess, 0, "name", "CPU");
    sortIndex("process_sort_index", kCpuProcess, 0, 0);
    metadata("process_name", kGpuProcess, 0, "name", "GPU");
    sortIndex("process_sort_index", kGpuProcess, 0, 1);
    if (std::any_of(m_threads.begin(), m_threads.end(),
                    [](const LaneThread &each) { return each.lane.role == LaneRole::Engine; })) {
        metadata("process_name", kEngineProcess, 0, "name", "Engines");
        sortIndex("process_sort_index", kEngineProcess, 0, 2);
    }
    metadata("thread_name", kCpuProcess, kFramesThread, "name", "Frames");
    sortIndex("thread_sort_index", kCpuProcess, kFramesThread, 0);
    int threadId = kFirstLaneThread;
    for (const LaneThread &thread : m_threads) {
        const int process = processOf(thread.lane.role);
        if (begin('M', "thread_name", process, threadId)) {
            beginArguments();
            text("name", thread.name);
            number(kLaneKey, thread.lane.id);
            text("role", laneRoleName(thread.lane.role));
            text("lane_name", thread.lane.name);
            text("detail", thread.lane.detail);
            if (thread.lane.emulated)
                number(kEmulatedKey, 1);
            if (thread.lane.gpu)
                number(kGpuKey, *thread.lane.gpu);
            end();
        }
        sortIndex("thread_sort_index", process, threadId, threadId);
        ++threadId;
    }
}

void Writer::writeCounterList()
{
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const CounterInfo &info = m_trace.counters()[i].info();
        if (!begin('M', kCounterEvent, kCpuProcess, 0))
            return;
        beginArguments();
        text("series", m_series[i]);
        number("id", info.id);
        text("name", info.name);
        text("unit", info.unit);
        if (info.lane)
            number(kLaneKey, *info.lane);
        end();
    }
}

void Writer::writeSpan(const SpanTrack &track, const TraceSpan &span, int process, int threadId)
{
    const SpanName &name = m_trace.names().at(span.name);
    if (!begin('X', name.text, process, threadId))
        return;
    text("cat", categoryName(name.category));
    time("ts", span.startNs - m_baseNs);
    time("dur", span.durationNs);
    const bool bounded = name.certainty == Certainty::Bounded;
    const bool unusual = name.purpose != usualPurpose(name.category);
    if (span.frame != kNoFrame || span.bytes != 0 || track.depth() != 0 || bounded || unusual) {
        beginArguments();
        if (span.frame != kNoFrame)
            number("frame", span.frame);
        if (span.bytes != 0)
            number("bytes", span.bytes);
        if (track.depth() != 0)
            number("depth", int{track.depth()});
        if (bounded)
            text(kCertaintyKey, certaintyName(Certainty::Bounded));
        if (unusual)
            text(kPurposeKey, purposeKey(name.purpose));
    }
    end();
}

void Writer::writeSpans(const LaneThread &thread, int threadId)
{
    const int process = processOf(thread.lane.role);
    eachSpanOfLane(thread.tracks, m_range, [&](const SpanTrack &track, const TraceSpan &span) {
        writeSpan(track, span, process, threadId);
        return !m_cancelled && !m_file.failed();
    });
}

void Writer::writeFrames()
{
    const auto [first, last] = m_trace.frames().range(m_range.startNs, m_range.endNs);
    for (std::uint64_t i = first; i < last; ++i) {
        const FrameFigures figures = m_trace.frames().at(i);
        const std::uint64_t shown = m_trace.frameNumber(figures.frame);
        if (!begin('X', "frame " + std::to_string(shown), kCpuProcess, kFramesThread))
            return;
        text("cat", kFrameCategory);
        time("ts", figures.startNs - m_baseNs);
        time("dur", figures.periodNs());
        beginArguments();
        FrameFigures read; // What is read again from the required fields.
        for (const FrameField &field : frameFields()) {
            if (!field.isRequired)
                continue;
            field.set(read, field.get(figures));
            if (field.name != kFrameStartField) // It is in "ts".
                number(field.name, field.get(figures));
        }
        if (shown != figures.frame)
            number(kFrameNumberKey, shown);
        const auto isMore = [&](const FrameField &field) { return field.get(read) != field.get(figures); };
        if (std::any_of(frameFields().begin(), frameFields().end(), isMore))
            for (const FrameField &field : frameFields())
                if (!field.isRequired)
                    number(field.name, field.get(figures));
        end();
    }
}

void Writer::writeCounters()
{
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const CounterTrack &counter = m_trace.counters()[i];
        for (std::uint64_t index = counter.firstIndex(); index < counter.endIndex(); ++index) {
            const auto [ns, value] = counter.at(index);
            if (ns < m_range.startNs || ns >= m_range.endNs)
                continue;
            if (!begin('C', m_series[i], kCpuProcess, 0))
                return;
            time("ts", ns - m_baseNs);
            beginArguments();
            if (std::isfinite(value))
                number("value", value);
            end();
        }
    }
}

void Writer::writeMarks()
{
    const auto [first, last] = m_trace.marks().range(m_range.startNs, m_range.endNs);
    for (std::size_t i = first; i < last; ++i) {
        const TraceMark &mark = m_trace.marks().all()[i];
        if (!begin('i', mark.text, kCpuProcess, kFramesThread))
            return;
        text("cat", kMarkCategory);
        text("s", "g");
        time("ts", mark.timeNs - m_baseNs);
        beginArguments();
        text("kind", markKindName(mark.kind));
        if (mark.frame != kNoFrame)
            number("frame", mark.frame);
        if (!mark.rule.empty())
            text("rule", mark.rule);
        if (!mark.fix.empty())
            text("fix", mark.fix);
        if (!mark.memory.empty())
            text("memory", mark.memory);
        if (mark.first)
            text("first_access", accessText(*mark.first));
        if (mark.second)
            text("second_access", accessText(*mark.second));
        end();
    }
}

void Writer::writeNotes()
{
    for (const TraceNote &note : m_trace.notes()) {
        if (note.endNs < m_range.startNs || note.startNs >= m_range.endNs)
            continue;
        if (!begin('i', note.text, kCpuProcess, kFramesThread))
            return;
        text("cat", kNoteCategory);
        text("s", "g");
        time("ts", note.startNs - m_baseNs);
        if (note.endNs > note.startNs) {
            beginArguments();
            number(kNoteLengthKey, note.endNs - note.startNs);
        }
        end();
    }
}

/// Writes edges as arrows between threads (flows): each end binds to the innermost span around it.
void Writer::writeEdges()
{
    std::vector<std::pair<int, int>> places(std::numeric_limits<LaneId>::max()
                                            + std::size_t{1}); ///< Process and thread.
    int threadId = kFirstLaneThread;
    for (const LaneThread &thread : m_threads) {
        std::pair<int, int> &place = places[thread.lane.id];
        if (place.second == 0)
            place = {processOf(thread.lane.role), threadId};
        ++threadId;
    }
    std::uint64_t id = 0;
    for (const SpanEdge &edge : m_trace.edges()) {
        const auto [fromProcess, fromThread] = places[edge.fromLane];
        const auto [toProcess, toThread] = places[edge.toLane];
        const bool inRange = edge.fromNs >= m_range.startNs && edge.toNs < m_range.endNs;
        if (!inRange || fromThread == 0 || toThread == 0)
            continue;
        if (!begin('s', kEdgeName, fromProcess, fromThread))
            return;
        text("cat", kEdgeName);
        number("id", ++id);
        time("ts", edge.fromNs - m_baseNs);
        end();
        if (!begin('f', kEdgeName, toProcess, toThread))
            return;
        text("cat", kEdgeName);
        number("id", id);
        text("bp", "e");
        time("ts", edge.toNs - m_baseNs);
        end();
    }
}

Status Writer::write()
{
    writeHead();
    writeThreads();
    writeCounterList();
    writeFrames();
    int threadId = kFirstLaneThread;
    for (const LaneThread &thread : m_threads)
        writeSpans(thread, threadId++);
    writeCounters();
    writeMarks();
    writeNotes();
    writeEdges();
    if (m_cancelled)
        return cancelledError();
    m_file.write(m_out);
    m_file.write("\n]}"); // Perfetto takes nothing behind it, not even a new line, where that comes by itself.
    return m_file.finish();
}

} // namespace

std::int64_t chromeBaseNs(const Trace &trace)
{
    std::int64_t ns = trace.oldestNs();
    for (const CounterTrack &counter : trace.counters())
        if (counter.firstIndex() < counter.endIndex())
            ns = std::min(ns, counter.at(counter.firstIndex()).first);
    if (!trace.marks().all().empty())
        ns = std::min(ns, trace.marks().all().front().timeNs);
    return ns;
}

Status exportChrome(const Trace &trace, const std::string &path, const std::optional<Interval> &range,
                    Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(path));
    return Writer(trace, file, range, progress, 0).write();
}

Status exportChromeBeside(const Trace &trace, const std::string &path, int processesBefore, Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(path));
    return Writer(trace, file, std::nullopt, progress, processesBefore).write();
}

} // namespace jetscope
