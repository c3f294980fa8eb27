// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromethreads.h"

#include "core/exchange/jsontoken.h"
#include "core/text/parsenumber.h"
#include "core/trace/watchedsort.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

constexpr std::ptrdiff_t kMostOpenSearched = 64; ///< For the name of an end; what is nested deeper goes by order.

/// Matches "stream 7", PyTorch's name of a stream, and "Stream #7(Compute)", that of XLA, but not "stream reader".
bool namesStream(std::string_view name)
{
    for (const std::string_view stream : {"stream ", "Stream #"})
        if (name.starts_with(stream) && name.size() > stream.size() && name[stream.size()] >= '0'
            && name[stream.size()] <= '9')
            return true;
    return false;
}

/// Lanes that XLA's profiler derives from the streams of a device. Where it has no streams, "XLA Ops" is its work.
bool namesSummary(std::string_view name, bool hasStreams)
{
    constexpr std::string_view kSummaries[] = {
        "Steps",          "XLA Modules", "Framework Name Scope", "Framework Ops", "TensorFlow Name Scope",
        "TensorFlow Ops", "Source code", "Source Code",          "XLA TraceMe",   "Launch Stats"};
    return (hasStreams && name == "XLA Ops")
        || std::find(std::begin(kSummaries), std::end(kSummaries), name) != std::end(kSummaries);
}

bool namesGpu(std::string_view name)
{
    // Chrome's own "GPU Process" runs on the CPU.
    return name != "GPU Process"
        && (name.find("GPU") != std::string_view::npos || name.find("CUDA") != std::string_view::npos
            || namesStream(name) || name == "COPY" || name.ends_with(" COPY")); // rocprof's process of all copies.
}

/// The number in "GPU 0", "GPU0", "/device:GPU:0/stream:13" and "/gpu:0".
std::optional<std::uint32_t> gpuInText(std::string_view text)
{
    for (const std::string_view word : {"GPU", "gpu"})
        for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
            std::string_view rest = text.substr(at + word.size());
            if (rest.starts_with(' ') || rest.starts_with(':'))
                rest.remove_prefix(1);
            const auto number = takeNumber<std::uint32_t>(rest);
            const bool goesOn =
                !rest.empty() && (std::isalnum(static_cast<unsigned char>(rest.front())) != 0 || rest.front() == '.');
            if (number && *number <= kMaxGpuNumber && !goesOn)
                return number;
        }
    return std::nullopt;
}

/// What a process of TensorFlow's timeline stands for; each of its processes is one device of the step statistics.
/// Until TensorFlow 1.3, a device is "/gpu:0".
enum class TensorFlow {
    Other,
    Dispatch, ///< "/job:localhost/…/device:GPU:0 Compute": the executor's thread on the CPU.
    Stream,   ///< "/device:GPU:0/stream:13 Compute", "/device:GPU:0/stream:13<MemcpyH2D> Compute"
    Summary,  ///< "/device:GPU:0/stream:all Compute" and "/device:GPU:0/memcpy Compute", which repeat the streams.
};

TensorFlow tensorFlowOf(std::string_view process)
{
    constexpr std::string_view kStream = "/stream:";
    if (process.find("/device:GPU:") == std::string_view::npos && process.find("/gpu:") == std::string_view::npos)
        return TensorFlow::Other;
    if (const std::size_t at = process.find(kStream); at != std::string_view::npos)
        return process.substr(at + kStream.size()).starts_with("all") ? TensorFlow::Summary : TensorFlow::Stream;
    if (process.find("/memcpy") != std::string_view::npos)
        return TensorFlow::Summary;
    return process.starts_with("/job:") ? TensorFlow::Dispatch : TensorFlow::Other;
}

/// A name in the place of the number of a thread or process.
bool isWord(const std::string &id)
{
    return !id.empty() && id.find_first_not_of("-0123456789") != std::string::npos;
}

void setAt(std::vector<bool> &flags, std::size_t index)
{
    if (index >= flags.size())
        flags.resize(index + 1);
    flags[index] = true;
}

bool isSet(const std::vector<bool> &flags, std::size_t index)
{
    return index < flags.size() && flags[index];
}

} // namespace

std::optional<std::uint32_t> gpuNumberOf(std::string_view token)
{
    const auto number = countOf(plainTextOf(token).value_or(token));
    return number && *number <= kMaxGpuNumber ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

std::optional<LaneId> ChromeThreads::laneOf(std::string_view process, std::string_view thread)
{
    if (m_lastLane && thread == m_lastThread && process == m_lastProcess)
        return m_lastLane;
    const std::optional<LaneId> lane = laneOf(keyOf(process, thread));
    m_lastThread = thread;
    m_lastProcess = process;
    m_lastLane = lane;
    return lane;
}

std::optional<LaneId> ChromeThreads::streamLaneOf(std::string_view process, std::string_view stream)
{
    const std::optional<LaneId> lane = laneOf(process, stream);
    if (lane)
        setAt(m_ofStream, *lane);
    return lane;
}

std::optional<LaneId> ChromeThreads::laneOf(const Key &key)
{
    const auto known = m_laneOf.find(key);
    const std::optional<LaneId> lane =
        known != m_laneOf.end() ? std::optional(known->second) : m_lanes.addLane(LaneRole::CpuStage, {});
    if (lane && known == m_laneOf.end())
        m_laneOf.emplace(key, *lane);
    return lane;
}

void ChromeThreads::setLane(const ChromeEvent &event, LaneId lane)
{
    m_laneOf.insert_or_assign(keyOf(event), lane);
    m_lastLane.reset();
}

void ChromeThreads::setThreadName(const ChromeEvent &event, std::string name)
{
    name.resize(name.find_last_not_of(' ') + 1); // PyTorch writes "stream 7 " with a trailing space.
    m_threadNames[keyOf(event)] = std::move(name);
}

void ChromeThreads::setProcessName(const ChromeEvent &event, std::string name)
{
    m_processes[m_ids.of(event.process)].name = std::move(name);
}

void ChromeThreads::setProcessLabels(const ChromeEvent &event, std::string labels)
{
    m_processes[m_ids.of(event.process)].labels = std::move(labels);
}

ChromeThreads::Process ChromeThreads::saidOf(std::uint64_t process) const
{
    const auto known = m_processes.find(process);
    return known != m_processes.end() ? known->second : Process();
}

std::string ChromeThreads::processText(std::uint64_t process) const
{
    const Process said = saidOf(process);
    const std::string id = m_ids.text(process);
    const std::string name = said.name.empty() ? (isWord(id) ? "" : "process ") + id : said.name;
    return name + (said.labels.empty() ? "" : " · " + said.labels);
}

void ChromeThreads::notePlace(LaneId lane, ChromeKind::Place place, std::optional<std::uint32_t> gpu)
{
    if (place == ChromeKind::Place::Cpu || place == ChromeKind::Place::Gpu)
        setAt(place == ChromeKind::Place::Gpu ? m_onGpu : m_onCpu, lane);
    setAt(place == ChromeKind::Place::Profiler ? m_ofProfiler : m_ofProgram, lane);
    if (place == ChromeKind::Place::Gpu && gpu)
        m_gpuOf.try_emplace(lane, *gpu);
}

bool ChromeThreads::matchEdges(std::int64_t lastNs, Progress &progress, double fraction)
{
    for (auto &[lane, edges] : m_edges)
        if (!matchLane(lane, edges, lastNs, progress, fraction))
            return false;
    m_edges.clear();
    return true;
}

bool ChromeThreads::matchLane(LaneId lane, std::vector<Edge> &edges, std::int64_t lastNs, Progress &progress,
                              double fraction)
{
    if (!watchedStableSort(
            edges, [](const Edge &a, const Edge &b) { return a.span.startNs < b.span.startNs; }, progress, fraction))
        return false;
    std::vector<Edge> open;
    const auto close = [&](std::vector<Edge>::iterator which, std::int64_t endNs, char endPhase) {
        TraceSpan &span = which->span;
        span.durationNs = std::max(std::int64_t{0}, endNs - span.startNs);
        m_lanes.add(lane, span, ForeignLanes::kAnyDepth, {'B', endPhase, 0});
        open.erase(which);
    };
    for (const Edge &edge : edges) {
        if (!edge.isEnd) {
            open.push_back(edge);
        } else if (open.empty()) {
            ++m_unmatchedEnds;
        } else {
            const auto most = open.rbegin() + std::min<std::ptrdiff_t>(std::ssize(open), kMostOpenSearched);
            const auto named = edge.name == 0
                ? open.rbegin()
                : std::find_if(open.rbegin(), most, [&](const Edge &each) { return each.name == edge.name; });
            const auto which = named == most ? std::prev(open.end()) : std::prev(named.base());
            // Some values are only known at the end and are written there.
            which->span.bytes = std::max(which->span.bytes, edge.span.bytes);
            which->span.frame = std::min(which->span.frame, edge.span.frame);
            close(which, edge.span.startNs, 'E');
        }
    }
    m_unclosed += open.size();
    while (!open.empty())
        close(std::prev(open.end()), lastNs, '\0');
    return progress.advance(fraction);
}

/// Decides by the lane's events if possible, else by the names of thread and process. A thread that calls the GPU is a
/// CPU thread, regardless of its name.
bool ChromeThreads::isGpu(LaneId lane, const Key &key, const std::string &name) const
{
    if (isSet(m_onCpu, lane))
        return false;
    const Process process = saidOf(key.process);
    const TensorFlow device = tensorFlowOf(process.name);
    if (device == TensorFlow::Dispatch)
        return false;
    return isSet(m_onGpu, lane) || device != TensorFlow::Other || namesGpu(name) || namesGpu(process.name)
        || namesGpu(process.labels);
}

/// By the lane's events if they say it, else by the names around them.
std::optional<std::uint32_t> ChromeThreads::gpuOf(LaneId lane, const Key &key, const std::string &name) const
{
    if (const auto known = m_gpuOf.find(lane); known != m_gpuOf.end())
        return known->second;
    const Process process = saidOf(key.process);
    for (const std::string *text : {&process.labels, &process.name, &name})
        if (const auto number = gpuInText(*text))
            return number;
    return std::nullopt;
}

void ChromeThreads::nameLanes()
{
    for (const auto &[key, lane] : m_laneOf) {
        LaneInfo &info = m_lanes.info(lane);
        const auto thread = m_threadNames.find(key);
        const std::string id = m_ids.text(key.thread);
        const bool saysStream = TokenNumbers::isText(key.thread) && namesStream(id);
        const std::string ofStream = (isSet(m_ofStream, lane) ? "stream " : isWord(id) ? "" : "thread ") + id;
        info.name = thread != m_threadNames.end() ? thread->second : saysStream ? id : ofStream;
        info.detail = processText(key.process);
        if (isGpu(lane, key, info.name) || (saysStream && !isSet(m_onCpu, lane)))
            info.role = LaneRole::DeviceStream;
        if (info.role == LaneRole::DeviceStream)
            info.gpu = gpuOf(lane, key, info.name);
        else if (isSet(m_ofProfiler, lane) && !isSet(m_ofProgram, lane))
            info.role = LaneRole::Tool;
    }
    findSummaries();
}

void ChromeThreads::findSummaries()
{
    std::unordered_map<std::uint64_t, bool> hasStreams;
    bool hasTensorFlow = false;
    const auto tensorFlow = [this](const Key &key) { return tensorFlowOf(saidOf(key.process).name); };
    for (const auto &[key, lane] : m_laneOf) {
        if (isStream(lane))
            hasStreams[key.process] = true;
        hasTensorFlow = hasTensorFlow || tensorFlow(key) == TensorFlow::Stream;
    }
    for (const auto &[key, lane] : m_laneOf) {
        LaneInfo &info = m_lanes.info(lane);
        const bool isSummary = namesSummary(info.name, hasStreams[key.process])
            || (hasTensorFlow && tensorFlow(key) == TensorFlow::Summary);
        if (info.role != LaneRole::DeviceStream || isSet(m_onGpu, lane) || !isSummary)
            continue;
        setAt(m_summaries, lane);
        info.role = LaneRole::Tool;
    }
}

bool ChromeThreads::isSummary(LaneId lane) const
{
    return isSet(m_summaries, lane);
}

bool ChromeThreads::isStream(LaneId lane) const
{
    const LaneInfo &info = m_lanes.info(lane);
    return info.role == LaneRole::DeviceStream && (isSet(m_onGpu, lane) || namesStream(info.name));
}

} // namespace jetscope
