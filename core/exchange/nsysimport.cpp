// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/nsysimport.h"

#include "core/database.h"
#include "core/exchange/foreignlanes.h"
#include "core/exchange/framechoices.h"
#include "core/exchange/frameperiods.h"
#include "core/exchange/jsontoken.h"
#include "core/exchange/leftout.h"
#include "core/exchange/nsysedges.h"
#include "core/exchange/nsystables.h"
#include "core/exchange/watchedloop.h"
#include "core/exchange/watchedsort.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace jetscope {

namespace {

// Shares of the progress: reading, building the trace, computing figures of frames.
constexpr double kNsysReadShare = 0.5;
constexpr double kNsysMoveShare = 0.7;

// NVTX_EVENTS.eventType
constexpr std::int64_t kCategoryName = 33;
constexpr std::int64_t kMark = 34;
constexpr std::int64_t kPushPop = 59;
constexpr std::int64_t kStartEnd = 60;
constexpr std::int64_t kDomainMade = 75;
constexpr std::int64_t kDomainGone = 76;

std::string copyName(std::int64_t kind)
{
    static constexpr std::array<const char *, 14> kNames = {
        "copy",      "copy HtoD",         "copy DtoH",         "copy HtoA",        "copy AtoH",
        "copy AtoA", "copy AtoD",         "copy DtoA",         "copy DtoD",        "copy HtoH",
        "copy PtoP", "unified copy HtoD", "unified copy DtoH", "unified copy DtoD"};
    return kNames[kind > 0 && kind < static_cast<std::int64_t>(kNames.size()) ? static_cast<std::size_t>(kind) : 0];
}

std::string_view syncName(NsysEdges::WaitKind kind)
{
    switch (kind) {
    case NsysEdges::WaitKind::Event:
        return "event wait";
    case NsysEdges::WaitKind::Stream:
        return "stream wait";
    case NsysEdges::WaitKind::Context:
        return "context wait";
    case NsysEdges::WaitKind::StreamForEvent:
        return "stream waits for event";
    case NsysEdges::WaitKind::Nothing:
        return "query";
    case NsysEdges::WaitKind::Unknown:
        break;
    }
    return "synchronization";
}

/// Turns "cudaLaunchKernel_v7000" into "cudaLaunchKernel".
std::string_view withoutVersion(std::string_view name)
{
    const std::size_t version = name.rfind("_v");
    const bool isVersion = version != std::string_view::npos && version + 2 < name.size()
        && name.find_first_not_of("0123456789", version + 2) == std::string_view::npos;
    return isVersion ? name.substr(0, version) : name;
}

/// Progress of reading the tables. The number of rows is unknown, so each step covers a constant part of the rest.
class RowProgress : public Progress {
public:
    explicit RowProgress(Progress &whole) : m_whole(whole) {}
    bool advance(double) override
    {
        constexpr double kStep = 0.01;
        m_done += (kNsysReadShare - m_done) * kStep;
        return m_whole.advance(m_done);
    }

private:
    Progress &m_whole;
    double m_done = 0;
};

/// Builds a trace from the events of one export.
class NsysImport {
public:
    NsysImport(Database &database, const std::string &path, const std::string &framesBy)
        : m_path(path), m_frameNames(framesBy), m_tables(database), m_trace(std::numeric_limits<std::uint64_t>::max())
    {
    }

    Status read(Progress &progress);
    Result<OpenedTrace> finish(Progress &progress, std::uint64_t mostSpans);

private:
    using Thread = std::pair<std::uint64_t, std::uint64_t>; ///< Process and thread.

    void keepRange(const NsysRow &row);
    struct Candidates;
    bool collectCandidates(Candidates &candidates, Progress &progress);
    bool findFrames(Progress &progress);
    void addRanges();
    void addCall(const NsysRow &row);
    void addWork(const NsysRow &row, std::string_view name, Category category);
    void addSync(const NsysRow &row);
    void add(std::optional<LaneId> lane, const NsysRow &row, std::string_view name, Category category,
             std::int64_t frameAt);
    std::optional<LaneId> threadLane(const Thread &thread);
    std::uint32_t frameAt(std::int64_t ns) const;
    void setOrigin();
    std::vector<std::string> notes() const;

    bool isOurs(const NsysRow &row) const;
    FrameCandidate candidateOf(const NsysRow &row, FrameSign sign) const;
    FrameCandidate submissionOf(const NsysRow &row) const;
    Category categoryOf(const NsysRow &row) const;
    LaneRole roleOf(const Thread &thread) const;
    bool addMarks(Progress &progress);

    const std::string &m_path;
    FrameNames m_frameNames;
    NsysTables m_tables;
    Trace m_trace;
    ForeignLanes m_lanes;
    std::map<Thread, std::optional<LaneId>> m_threadLanes;
    std::map<std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::int64_t>, std::optional<LaneId>> m_streamLanes;
    std::map<std::uint64_t, std::optional<LaneId>> m_syncLanes;
    std::vector<NsysRow> m_ranges;
    std::vector<TraceMark> m_marks;
    std::set<std::pair<std::uint64_t, std::int64_t>> m_ourDomains; ///< Process and NVTX domain.
    FoundFrames m_found;
    FrameChoices m_frameChoices;
    NsysEdges m_edges;
    SpanPoints m_noPoints;
    std::set<Thread> m_captureThreads; ///< Capture threads of Jetscope.
    std::optional<std::int64_t> m_lastFrameNs;
    std::int64_t m_lastNs = 0;
    std::uint64_t m_withoutLane = 0;
    std::uint64_t m_otherRanges = 0;
};

void NsysImport::keepRange(const NsysRow &row)
{
    if (row.kind == kDomainMade && row.text == "jetscope")
        m_ourDomains.emplace(row.process, row.domain);
    if (row.kind == kDomainMade || row.kind == kDomainGone || row.kind == kCategoryName)
        return;
    m_lastNs = std::max(m_lastNs, row.time.endNs);
    if (isOurs(row) && categoryOf(row) == Category::Capture)
        m_captureThreads.emplace(row.process, row.thread);
    if (row.kind == kPushPop || row.kind == kStartEnd || row.kind == kMark)
        m_ranges.push_back(row);
    else
        ++m_otherRanges;
}

bool NsysImport::isOurs(const NsysRow &row) const
{
    return m_ourDomains.count({row.process, row.domain}) > 0;
}

namespace {

std::uint64_t threadNumber(const NsysRow &row)
{
    return row.process << 24U | row.thread;
}

/// Sorts by thread and time, enclosing ranges before nested ones. Returns false when cancelled.
bool sortRanges(std::vector<NsysRow> &ranges, Progress &progress)
{
    const auto isBefore = [](const NsysRow &a, const NsysRow &b) {
        return std::tuple(a.process, a.thread, a.time.startNs, b.time.endNs)
            < std::tuple(b.process, b.thread, b.time.startNs, a.time.endNs);
    };
    return watchedStableSort(ranges, isBefore, progress, 0);
}

} // namespace

FrameCandidate NsysImport::candidateOf(const NsysRow &row, FrameSign sign) const
{
    return {row.text, threadNumber(row), row.time, row.kind == kMark, sign, false};
}

/// For versions of Jetscope without names of frames: each frame begins with its "submit" range, which has the number as
/// payload.
FrameCandidate NsysImport::submissionOf(const NsysRow &row) const
{
    FrameCandidate frame = candidateOf(row, FrameSign::Ours);
    frame.text = "frame " + std::to_string(*row.payload);
    frame.isMark = true;
    return frame;
}

/// Ranges of Jetscope have a category; ranges of other programs count as CPU work.
Category NsysImport::categoryOf(const NsysRow &row) const
{
    // As numbered by gpu/cuda/nvtxspans, starting at 1.
    const bool known = isOurs(row) && row.category >= 1 && row.category <= kCategoryCount;
    return known ? static_cast<Category>(row.category - 1) : Category::CpuStage;
}

/// Candidates for frames, by sign.
struct NsysImport::Candidates {
    std::vector<FrameCandidate> named;
    std::vector<FrameCandidate> submitted;
    std::vector<FrameCandidate> outermost;
    bool weSaidFrames = false;
};

bool NsysImport::collectCandidates(Candidates &candidates, Progress &progress)
{
    std::optional<Thread> last;
    std::int64_t endNs = 0;
    return eachWatched(m_ranges, progress, 0, [&](const NsysRow &row) {
        const Thread thread(row.process, row.thread);
        m_frameChoices.add(row.text, 1, row.time.endNs - row.time.startNs);
        auto sign = m_frameNames.signOf(row.text);
        if (sign == FrameSign::SaysFrame && isOurs(row))
            sign = row.text.starts_with("frame ") ? std::optional(FrameSign::Ours) : std::nullopt;
        candidates.weSaidFrames = candidates.weSaidFrames || sign == FrameSign::Ours;
        if (sign)
            candidates.named.push_back(candidateOf(row, *sign));
        if (isOurs(row) && row.text == "submit" && row.payload)
            candidates.submitted.push_back(submissionOf(row));
        if (row.kind == kMark)
            return;
        if (last != thread || row.time.startNs >= endNs) {
            candidates.outermost.push_back(candidateOf(row, FrameSign::Outermost));
            endNs = row.time.endNs;
        }
        last = thread;
    });
}

/// Returns false when cancelled.
bool NsysImport::findFrames(Progress &progress)
{
    Candidates candidates;
    if (!sortRanges(m_ranges, progress) || !collectCandidates(candidates, progress))
        return false;
    const bool byConvention = m_frameNames.asked().empty();
    if (byConvention && !candidates.weSaidFrames && !candidates.submitted.empty())
        candidates.named = std::move(candidates.submitted);
    // The end of the last frame is not known yet.
    std::optional<FoundFrames> found = jetscope::findFrames(
        std::move(byConvention && candidates.named.empty() ? candidates.outermost : candidates.named), kMostTraceNs,
        progress, 0);
    if (!found)
        return false;
    m_found = std::move(*found);
    if (m_found.sign != FrameSign::Ours || !m_found.isMark)
        return true;
    return eachWatched(m_ranges, progress, 0,
                       [this](const NsysRow &row) { // After its last range, Jetscope does other work.
                           if (threadNumber(row) == m_found.thread)
                               m_lastFrameNs = std::max(m_lastFrameNs.value_or(row.time.endNs), row.time.endNs);
                       });
}

std::uint32_t NsysImport::frameAt(std::int64_t ns) const
{
    const auto after =
        std::upper_bound(m_found.periods.begin(), m_found.periods.end(), ns,
                         [](std::int64_t time, const FramePeriod &period) { return time < period.time.startNs; });
    return after != m_found.periods.begin() && ns < std::prev(after)->time.endNs ? std::prev(after)->frame : kNoFrame;
}

LaneRole NsysImport::roleOf(const Thread &thread) const
{
    if (!m_found.periods.empty() && m_found.thread == (thread.first << 24U | thread.second))
        return LaneRole::Pipeline;
    return m_captureThreads.count(thread) > 0 ? LaneRole::Capture : LaneRole::CpuStage;
}

std::optional<LaneId> NsysImport::threadLane(const Thread &thread)
{
    const auto [place, isNew] = m_threadLanes.try_emplace(thread);
    if (isNew) {
        const std::string name =
            m_tables.threadName(thread.first, thread.second).value_or("thread " + std::to_string(thread.second));
        place->second = m_lanes.addLane(roleOf(thread), name, "process " + std::to_string(thread.first));
    }
    return place->second;
}

void NsysImport::add(std::optional<LaneId> lane, const NsysRow &row, std::string_view name, Category category,
                     std::int64_t frameTime)
{
    m_lastNs = std::max(m_lastNs, row.time.endNs);
    if (!lane) {
        ++m_withoutLane;
        return;
    }
    m_lanes.add(*lane,
                {row.time.startNs, row.time.endNs - row.time.startNs, row.bytes, frameAt(frameTime),
                 m_trace.names().intern(name, category)});
}

void NsysImport::addRanges()
{
    for (const NsysRow &row : m_ranges) {
        const Thread thread(row.process, row.thread);
        if (row.kind == kMark) {
            m_marks.push_back({TraceMark::Kind::Other, row.time.startNs, frameAt(row.time.startNs), row.text, {}, {}});
            continue;
        }
        // The range of a frame is not work, only the spans within it are.
        FrameCandidate candidate = candidateOf(row, m_found.sign);
        add(threadLane(thread), row, row.text, m_found.takes(candidate) ? Category::Tool : categoryOf(row),
            row.time.startNs);
    }
    m_ranges = {};
}

void NsysImport::addCall(const NsysRow &row)
{
    const std::string_view name = withoutVersion(row.text);
    const bool waits = name.find("Synchronize") != std::string_view::npos;
    const auto lane = threadLane({row.process, row.thread});
    if (lane)
        m_edges.addCall(row, name, *lane);
    add(lane, row, name, waits ? Category::WaitSync : Category::Submit, row.time.startNs);
}

void NsysImport::addWork(const NsysRow &row, std::string_view name, Category category)
{
    const auto [place, isNew] = m_streamLanes.try_emplace({row.process, row.device, row.context, row.stream});
    if (isNew)
        place->second = m_lanes.addLane(
            LaneRole::DeviceStream, "GPU " + std::to_string(row.device) + " stream " + std::to_string(row.stream),
            "context " + std::to_string(row.context) + " of process " + std::to_string(row.process));
    // Work belongs to the frame in which it was submitted.
    const NsysEdges::Call *const call = m_edges.callOf(row);
    if (place->second)
        m_edges.addWork(row, *place->second);
    add(place->second, row, name, category, call ? call->startNs : row.time.startNs);
}

void NsysImport::addSync(const NsysRow &row)
{
    const auto [place, isNew] = m_syncLanes.try_emplace(row.process);
    if (isNew) // The threads' own calls are counted; the synchronization rows are only displayed.
        place->second =
            m_lanes.addLane(LaneRole::Tool, "CUDA synchronization", "process " + std::to_string(row.process));
    m_edges.addWait(row);
    add(place->second, row, syncName(m_edges.kindOf(row)), Category::WaitSync, row.time.startNs);
}

Status NsysImport::read(Progress &progress)
{
    RowProgress rows(progress);
    JETSCOPE_TRY(m_tables.check());
    JETSCOPE_TRY(m_tables.readTexts());
    setOrigin();
    // Frames first, because all other rows are assigned to them; calls before the work that they submitted.
    JETSCOPE_TRY(m_tables.each(
        NsysTables::kRanges, [this](NsysRow &row) { keepRange(row); }, rows));
    if (!findFrames(rows))
        return cancelledError();
    addRanges();
    JETSCOPE_TRY(m_tables.each(
        NsysTables::kCalls, [this](NsysRow &row) { addCall(row); }, rows));
    JETSCOPE_TRY(m_tables.each(
        NsysTables::kKernels, [this](NsysRow &row) { addWork(row, row.text, Category::Kernel); }, rows));
    JETSCOPE_TRY(m_tables.each(
        NsysTables::kCopies, [this](NsysRow &row) { addWork(row, copyName(row.kind), Category::Copy); }, rows));
    JETSCOPE_TRY(m_tables.each(
        NsysTables::kMemsets, [this](NsysRow &row) { addWork(row, "memset", Category::Kernel); }, rows));
    JETSCOPE_TRY(m_tables.each(
        NsysTables::kGraphs, [this](NsysRow &row) { addWork(row, "CUDA graph", Category::Kernel); }, rows));
    JETSCOPE_TRY(m_tables.each(
        NsysTables::kRecords, [this](NsysRow &row) { m_edges.addRecord(row); }, rows));
    return m_tables.each(
        NsysTables::kSyncs, [this](NsysRow &row) { addSync(row); }, rows);
}

void NsysImport::setOrigin()
{
    TraceOrigin origin;
    origin.device = m_tables.value("TARGET_INFO_GPU", "name");
    origin.program = "Nsight Systems " + m_tables.value("META_DATA_EXPORT", "value", "name = 'EXPORT_PRODUCT_VERSION'");
    origin.program.resize(origin.program.find_last_not_of(' ') + 1);
    origin.file = m_path;
    origin.wallClockOffsetNs =
        wholeNumberOf(m_tables.value("TARGET_INFO_SESSION_START_TIME", "utcEpochNs")).value_or(0);
    m_trace.setOrigin(std::move(origin));
}

std::vector<std::string> NsysImport::notes() const
{
    std::vector<std::string> notes{m_found.howFound(m_frameNames)};
    addCount(notes, m_otherRanges, "NVTX events are of kinds that are not shown");
    addCount(notes, m_withoutLane, "spans are left out, because there are more than 10000 threads and streams");
    addCount(notes, m_trace.lateSpans(), "spans are left out, because they overlap 256 others");
    addCount(notes, m_trace.marks().discarded(), "marks are left out, the oldest: no more than 100000 are kept");
    return notes;
}

bool NsysImport::addMarks(Progress &progress)
{
    const auto byTime = [](const TraceMark &a, const TraceMark &b) { return a.timeNs < b.timeNs; };
    if (!watchedStableSort(m_marks, byTime, progress, kNsysReadShare))
        return false;
    for (TraceMark &mark : m_marks)
        m_trace.add(std::move(mark));
    m_marks = {};
    return true;
}

Result<OpenedTrace> NsysImport::finish(Progress &progress, std::uint64_t mostSpans)
{
    if (!m_found.periods.empty())
        m_found.periods.back().time.endNs =
            std::min(m_found.periods.back().time.endNs, m_lastFrameNs.value_or(m_lastNs));
    std::vector<SpanEdge> edges;
    if (!addMarks(progress) || !m_lanes.moveTo(m_trace, m_noPoints, progress, kNsysReadShare, kNsysMoveShare)
        || !m_edges.join(edges, progress, kNsysMoveShare)
        || !addFrames(m_trace, m_found.periods, progress, kNsysMoveShare, 1))
        return cancelledError();
    m_trace.add(edges);
    std::vector<std::string> said = notes();
    m_trace.setMostSpans(mostSpans);
    return OpenedTrace{std::move(m_trace), std::move(said), m_frameChoices.names()};
}

} // namespace

Result<OpenedTrace> importNsys(const std::string &path, Progress &progress, std::uint64_t mostSpans,
                               const std::string &framesBy)
{
    JETSCOPE_TRY_ASSIGN(Database database, Database::open(path, Database::Access::ReadOnly));
    // Reports a lock or damage here, instead of later as a missing table.
    JETSCOPE_TRY(database.run("BEGIN; SELECT count(*) FROM sqlite_master"));
    NsysImport import(database, path, framesBy);
    JETSCOPE_TRY(import.read(progress));
    return import.finish(progress, mostSpans);
}

} // namespace jetscope
