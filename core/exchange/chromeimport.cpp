// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromeimport.h"

#include "core/capture/captureschema.h"
#include "core/exchange/chromeevents.h"
#include "core/exchange/chromeformat.h"
#include "core/exchange/chromethreads.h"
#include "core/exchange/frameperiods.h"
#include "core/exchange/jsontoken.h"
#include "core/exchange/shorttext.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <array>
#include <limits>

namespace jetscope {

namespace {

// Parts of the progress: reading, then putting together.
constexpr double kReadShare = 0.7;
constexpr double kMoveShare = 0.9;
constexpr std::uint64_t kEverything = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kMostCounters = std::numeric_limits<CounterId>::max();

std::string textOfToken(std::string_view token)
{
    std::string text = readableOf(token);
    text.resize(shortText(text).size());
    return text;
}

/// Puts the events of one file together.
class Import {
public:
    explicit Import(const std::string &path) : m_path(path), m_trace(kEverything), m_threads(m_lanes) {}

    void takeOther(const ChromeArgument &entry);
    Status take(const ChromeEvent &event);
    Result<OpenedTrace> finish(const ChromeFile &file, Progress &progress, std::uint64_t mostSpans);

private:
    Error wrong(const ChromeEvent &event, std::string_view what, std::string_view token) const;
    Result<std::int64_t> timeOf(const ChromeEvent &event) const;
    struct Piece {
        TraceSpan span;
        int depth = 0; ///< As the arguments say.
    };
    Result<Piece> pieceOf(const ChromeEvent &event);
    Status takeComplete(const ChromeEvent &event);
    Status takeEdge(const ChromeEvent &event);
    Status takeInstant(const ChromeEvent &event);
    Status takeCounters(const ChromeEvent &event);
    Status takeFrame(const ChromeEvent &event);
    void takeMetadata(const ChromeEvent &event);
    void takeOwnLane(const ChromeEvent &event);
    void takeOwnCounter(const ChromeEvent &event);
    std::optional<CounterId> counterOf(std::string_view series);
    Category categoryOf(const ChromeEvent &event);
    TraceName nameOf(const ChromeEvent &event, Certainty certainty);
    std::vector<std::string> notes(const ChromeFile &file) const;

    const std::string &m_path;
    Trace m_trace;
    ForeignLanes m_lanes;
    ChromeThreads m_threads;
    TraceOrigin m_origin;
    bool m_own = false;
    std::int64_t m_baseNs = 0;
    std::vector<std::pair<std::string, Category>> m_categories; ///< The first that came.
    std::vector<CounterInfo> m_counters;
    std::map<std::string, CounterId, std::less<>> m_counterOf;
    std::vector<CounterSample> m_samples;
    std::vector<FrameFigures> m_frames;
    std::int64_t m_lastNs = 0;
    std::uint64_t m_otherKinds = 0;
    std::uint64_t m_withoutLane = 0;
    std::uint64_t m_withoutCounter = 0;
    std::uint64_t m_cutNames = 0;
};

Error Import::wrong(const ChromeEvent &event, std::string_view what, std::string_view token) const
{
    return Error{{},
                 0,
                 m_path + ": event " + std::to_string(event.number) + " has a wrong " + std::string(what) + " ("
                     + (token.empty() ? "none" : std::string(shortText(token, 40)))
                     + "): times are numbers of microseconds from 0 on; write the trace again"};
}

Result<std::int64_t> Import::timeOf(const ChromeEvent &event) const
{
    const auto ns = nanosecondsOf(event.time);
    if (!ns || *ns < 0 || !isTracePiece(m_baseNs, *ns))
        return wrong(event, "time", event.time);
    return m_baseNs + *ns;
}

Category categoryOfOthers(std::string_view text)
{
    if (text == "gpu_memcpy" || text == "gpu_memset")
        return Category::Copy;
    if (text == "cuda_runtime" || text == "cuda_driver")
        return Category::Submit;
    return categoryByName(text).value_or(Category::CpuStage);
}

Category Import::categoryOf(const ChromeEvent &event)
{
    constexpr std::size_t kRemembered = 32;
    for (const auto &[text, category] : m_categories)
        if (text == event.category)
            return category;
    const Category category = categoryOfOthers(event.category);
    if (m_categories.size() < kRemembered)
        m_categories.emplace_back(shortText(event.category), category);
    return category;
}

TraceName Import::nameOf(const ChromeEvent &event, Certainty certainty)
{
    const std::string_view name = shortText(event.name);
    m_cutNames += name.size() < event.name.size() ? 1 : 0;
    return m_trace.names().intern(name, !m_own && namesFrame(name) ? Category::Tool : categoryOf(event), certainty);
}

Result<Import::Piece> Import::pieceOf(const ChromeEvent &event)
{
    const Result<std::int64_t> time = timeOf(event);
    if (!time.ok())
        return time.error();
    Piece piece;
    piece.span.startNs = time.value();
    Certainty certainty = Certainty::Exact;
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
    piece.span.name = nameOf(event, certainty);
    m_lastNs = std::max(m_lastNs, piece.span.startNs);
    return piece;
}

Status Import::takeComplete(const ChromeEvent &event)
{
    if (m_own && event.category == kFrameCategory)
        return takeFrame(event);
    Result<Piece> made = pieceOf(event);
    if (!made.ok())
        return made.error();
    TraceSpan &span = made.value().span;
    const auto duration = event.duration.empty() ? 0 : nanosecondsOf(event.duration);
    if (!duration || !isTracePiece(span.startNs, *duration))
        return wrong(event, "duration", event.duration);
    span.durationNs = *duration;
    m_lastNs = std::max(m_lastNs, span.endNs());
    if (const auto lane = m_threads.laneOf(event))
        m_lanes.add(*lane, span, m_own ? made.value().depth : ForeignLanes::kAnyDepth);
    else
        ++m_withoutLane;
    return {};
}

Status Import::takeEdge(const ChromeEvent &event)
{
    const Result<Piece> piece = pieceOf(event);
    if (!piece.ok())
        return piece.error();
    const auto lane = m_threads.laneOf(event);
    if (!lane)
        ++m_withoutLane;
    else if (event.phase == 'B')
        m_threads.begin(*lane, piece.value().span);
    else
        m_threads.end(*lane, piece.value().span);
    return {};
}

Status Import::takeInstant(const ChromeEvent &event)
{
    const Result<std::int64_t> time = timeOf(event);
    if (!time.ok())
        return time.error();
    TraceMark mark;
    mark.kind = TraceMark::Kind::Other;
    mark.timeNs = time.value();
    mark.text = shortText(event.name);
    if (const auto frame = countOf(event.argument("frame")))
        mark.frame = static_cast<std::uint32_t>(std::min(*frame, std::uint64_t{kNoFrame}));
    if (m_own && event.category == kMarkCategory) {
        mark.kind = markKindByName(textOfToken(event.argument("kind"))).value_or(TraceMark::Kind::Other);
        mark.rule = textOfToken(event.argument("rule"));
        mark.fix = textOfToken(event.argument("fix"));
    }
    m_lastNs = std::max(m_lastNs, mark.timeNs);
    m_trace.add(std::move(mark));
    return {};
}

std::optional<CounterId> Import::counterOf(std::string_view series)
{
    const auto known = m_counterOf.find(series);
    if (known != m_counterOf.end())
        return known->second;
    if (m_own || m_counters.size() >= kMostCounters)
        return std::nullopt;
    const auto id = static_cast<CounterId>(m_counters.size());
    m_counters.push_back({id, std::string(series), {}, std::nullopt});
    m_counterOf.emplace(series, id);
    return id;
}

Status Import::takeCounters(const ChromeEvent &event)
{
    const Result<std::int64_t> time = timeOf(event);
    if (!time.ok())
        return time.error();
    const auto take = [&](std::string_view series, double value) {
        const auto id = counterOf(series);
        if (id)
            m_samples.push_back({time.value(), value, *id});
        else
            ++m_withoutCounter;
    };
    const std::string name(shortText(event.name));
    if (event.arguments.empty()) // Ours, while the value is unknown.
        take(name, std::numeric_limits<double>::quiet_NaN());
    for (const ChromeArgument &argument : event.arguments) {
        const auto value = numberOf(argument.value);
        if (!value)
            return wrong(event, "value", argument.value);
        take(event.arguments.size() == 1 ? name : name + " · " + std::string(shortText(argument.key)), *value);
    }
    return {};
}

/// Figures of a frame by the names of their arguments, in the order in which we write them. The last two are -1 where
/// they are not said.
std::array<std::int64_t, 15> frameValues(const ChromeEvent &event)
{
    static constexpr std::array<std::string_view, 15> kNames = {
        "frame",          "period_ns",     "cpu_ns",          "gpu_ns",          "both_ns",
        "idle_ns",        "wait_sync_ns",  "wait_memory_ns",  "wait_slot_ns",    "wait_input_ns",
        "frame_ns",       "latency_ns",    "bytes_copied",    "gpu_at_least_ns", "both_at_least_ns"};
    std::array<std::int64_t, 15> values{};
    values[13] = values[14] = -1;
    std::size_t expected = 0;
    for (const ChromeArgument &argument : event.arguments) {
        if (expected >= kNames.size() || kNames[expected] != argument.key)
            expected = static_cast<std::size_t>(std::find(kNames.begin(), kNames.end(), argument.key) - kNames.begin());
        if (expected < kNames.size())
            values[expected++] = std::clamp(wholeNumberOf(argument.value).value_or(0), -kMostTraceNs, kMostTraceNs);
    }
    return values;
}

Status Import::takeFrame(const ChromeEvent &event)
{
    const Result<std::int64_t> time = timeOf(event);
    if (!time.ok())
        return time.error();
    const auto v = frameValues(event);
    if (v[0] < 0 || v[0] > std::int64_t{kNoFrame} || !isTracePiece(time.value(), v[1]))
        return wrong(event, "period", event.argument("period_ns"));
    m_frames.push_back({static_cast<std::uint32_t>(v[0]),
                        time.value(),
                        {v[1], v[2], v[3], v[4], v[5], v[13] < 0 ? 0 : v[3] - v[13], v[14] < 0 ? 0 : v[4] - v[14]},
                        v[6],
                        v[7],
                        v[8],
                        v[9],
                        v[10],
                        v[11],
                        static_cast<std::uint64_t>(std::max(std::int64_t{0}, v[12]))});
    return {};
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
    if (!id || *id > kMostCounters)
        return;
    CounterInfo info{static_cast<CounterId>(*id), textOfToken(event.argument("name")),
                     textOfToken(event.argument("unit")), std::nullopt};
    if (lane && *lane < ForeignLanes::kMostLanes)
        info.lane = static_cast<LaneId>(*lane);
    m_counterOf.insert_or_assign(textOfToken(event.argument("series")), info.id);
    m_counters.push_back(std::move(info));
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
}

Status Import::take(const ChromeEvent &event)
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
        takeMetadata(event);
        return {};
    default:
        ++m_otherKinds;
        return {};
    }
}

std::vector<std::string> Import::notes(const ChromeFile &file) const
{
    std::vector<std::string> notes;
    const auto count = [&notes](std::uint64_t number, std::string_view what) {
        if (number > 0)
            notes.push_back(std::to_string(number) + " " + std::string(what));
    };
    if (file.cutShort)
        notes.push_back("the file ends in the middle; what it has is shown up to its last whole event");
    count(m_otherKinds, "events are of kinds that are not shown (flows, asynchronous ones, samples, objects)");
    count(m_threads.unmatchedEnds(), "ends of spans have no beginning and are left out");
    count(m_threads.unclosed(), "spans have no end and last until the end of the trace");
    count(m_withoutLane, "spans are left out, because there are more than 10000 threads");
    count(m_withoutCounter, "values are left out, because there are more than 65535 counters");
    count(m_cutNames, "spans have names of more than 2000 bytes, which are cut");
    count(m_trace.lateSpans(), "spans are left out, because they overlap 256 others");
    return notes;
}

Result<OpenedTrace> Import::finish(const ChromeFile &file, Progress &progress, std::uint64_t mostSpans)
{
    m_origin.file = m_path;
    m_trace.setOrigin(std::move(m_origin));
    m_threads.matchEdges(m_lastNs);
    if (!m_own)
        m_threads.nameLanes();
    if (!m_lanes.moveTo(m_trace, progress, kReadShare, kMoveShare))
        return cancelledError();
    const auto byTime = [](const CounterSample &a, const CounterSample &b) { return a.timeNs < b.timeNs; };
    std::stable_sort(m_samples.begin(), m_samples.end(), byTime);
    m_trace.setCounters(m_counters);
    m_trace.add(m_samples);
    std::stable_sort(m_frames.begin(), m_frames.end(),
                     [](const FrameFigures &a, const FrameFigures &b) { return a.startNs < b.startNs; });
    m_trace.add(m_frames);
    if (!m_own && !addFrames(m_trace, framePeriods(m_trace), progress, kMoveShare, 1))
        return cancelledError();
    std::vector<std::string> said = notes(file);
    m_trace.setMostSpans(mostSpans);
    return OpenedTrace{std::move(m_trace), std::move(said)};
}

} // namespace

Result<OpenedTrace> importChrome(const std::string &path, Progress &progress, std::uint64_t mostSpans)
{
    Import import(path);
    const ChromeListener listener{[&import](const ChromeArgument &entry) { import.takeOther(entry); },
                                  [&import](const ChromeEvent &event) { return import.take(event); }};
    const Result<ChromeFile> file = readChromeEvents(path, listener, progress, kReadShare);
    if (!file.ok())
        return file.error();
    return import.finish(file.value(), progress, mostSpans);
}

} // namespace jetscope
