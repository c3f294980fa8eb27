// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/format/attachcalls.h"
#include "core/exchange/importers.h"

#include "core/attach/format/attachcalls.h"
#include "core/exchange/framenames.h"
#include "core/exchange/frameperiods.h"
#include "core/exchange/jsontoken.h"
#include "core/exchange/nsysspans.h"
#include "core/exchange/nsysstates.h"
#include "core/exchange/nsystables.h"
#include "core/system/database.h"
#include "core/text/shorttext.h"
#include "core/trace/importaccount.h"
#include "core/trace/timelimits.h"
#include "core/trace/watchedsort.h"
#include "core/tracefile/tracefile.h"

#include <algorithm>
#include <array>
#include <limits>
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

constexpr const char *kShownAsMarks = "marks";

std::string copyName(std::int64_t kind)
{
    static constexpr std::array<const char *, 14> kNames = {
        "copy",      "copy HtoD",         "copy DtoH",         "copy HtoA",        "copy AtoH",
        "copy AtoA", "copy AtoD",         "copy DtoA",         "copy DtoD",        "copy HtoH",
        "copy PtoP", "unified copy HtoD", "unified copy DtoH", "unified copy DtoD"};
    return kNames[kind > 0 && kind < static_cast<std::int64_t>(kNames.size()) ? static_cast<std::size_t>(kind) : 0];
}

/// JSA_COPY_* of a CUpti_ActivityMemcpyKind.
std::uint8_t directionOf(std::int64_t kind)
{
    switch (kind) {
    case 1: // HTOD
    case 3: // HTOA
        return JSA_COPY_TO_DEVICE;
    case 2: // DTOH
    case 4: // ATOH
        return JSA_COPY_TO_HOST;
    case 9: // HTOH
        return JSA_COPY_ON_HOST;
    default:
        return kind >= 5 && kind <= 8 ? JSA_COPY_ON_DEVICE : JSA_COPY_UNKNOWN;
    }
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
        : m_path(path),
          m_frameNames(framesBy),
          m_tables(database),
          m_trace(std::numeric_limits<std::uint64_t>::max()),
          m_spans(m_tables, m_trace),
          m_states(m_tables, m_spans)
    {
    }

    Status read(Progress &progress);
    Result<OpenedTrace> finish(Progress &progress, std::uint64_t mostSpans);

private:
    using Thread = NsysSpans::Thread;

    NsysFate keepRange(const NsysRow &row);
    struct Candidates;
    bool collectCandidates(Candidates &candidates, Progress &progress);
    bool findFrames(Progress &progress);
    void setFrames();
    void addRanges();
    Status readCalls(Progress &progress);
    Status readWork(Progress &progress);
    NsysFate addDiagnostic(const NsysRow &row);
    void setOrigin();
    std::vector<std::string> notes();
    void noteMissing(std::vector<std::string> &notes);

    bool isOurs(const NsysRow &row) const;
    FrameCandidate candidateOf(const NsysRow &row, FrameSign sign) const;
    FrameCandidate submissionOf(const NsysRow &row) const;
    Category categoryOf(const NsysRow &row) const;
    bool addMarks(Progress &progress);

    const std::string &m_path;
    FrameNames m_frameNames;
    NsysTables m_tables;
    Trace m_trace;
    NsysSpans m_spans;
    NsysStates m_states;
    std::vector<NsysRow> m_ranges;
    std::vector<TraceMark> m_marks;
    std::set<std::pair<std::uint64_t, std::int64_t>> m_ourDomains; ///< Process and NVTX domain.
    FoundFrames m_found;
    FrameChoices m_frameChoices;
    std::vector<std::string> m_loopChoices;
    std::set<Thread> m_captureThreads; ///< Capture threads of Jetscope.
    std::optional<std::int64_t> m_lastFrameNs;
    std::uint64_t m_warnings = 0;
    std::string m_firstWarning;
};

NsysFate NsysImport::keepRange(const NsysRow &row)
{
    if (row.kind == kDomainMade && row.text == "jetscope")
        m_ourDomains.emplace(row.process, row.domain);
    if (row.kind == kDomainMade || row.kind == kDomainGone || row.kind == kCategoryName)
        return {"names of domains and categories", nullptr};
    if (row.kind != kPushPop && row.kind != kStartEnd && row.kind != kMark)
        return {nullptr, "NVTX events of their kinds are not shown"};
    if (isOurs(row) && categoryOf(row) == Category::Capture)
        m_captureThreads.emplace(row.process, row.thread);
    m_ranges.push_back(row);
    if (row.kind == kMark)
        return {kShownAsMarks, nullptr};
    return {row.hasEnd ? NsysFate().shownAs : kNsysEndless, nullptr};
}

bool NsysImport::isOurs(const NsysRow &row) const
{
    return m_ourDomains.count({row.process, row.domain}) > 0;
}

namespace {

/// Whether a framework made the range for one of its own operations or functions, of which a frame has many.
bool isOperator(std::string_view text)
{
    constexpr auto kBeginnings =
        std::to_array<std::string_view>({"aten::", "autograd::", "c10::", "nccl:", "prim::", "torch::", "<built-in"});
    return text.find(", op_id = ") != std::string_view::npos || text.find(".py(") != std::string_view::npos
        || text.find(".py:") != std::string_view::npos
        || std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](auto with) { return text.starts_with(with); });
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
            if (!isOperator(row.text))
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
        std::move(byConvention && candidates.named.empty() ? candidates.outermost : candidates.named),
        Interval{m_tables.times().firstNs(), m_tables.times().lastNs()}, progress, 0);
    if (!found)
        return false;
    m_found = std::move(*found);
    if (m_found.sign == FrameSign::Outermost && m_found.periods.size() == 1)
        m_found = {}; // What does not repeat is no frame.
    if (m_found.sign != FrameSign::Ours || !m_found.isMark)
        return true;
    return eachWatched(m_ranges, progress, 0,
                       [this](const NsysRow &row) { // After its last range, Jetscope does other work.
                           if (threadNumber(row) == m_found.thread)
                               m_lastFrameNs = std::max(m_lastFrameNs.value_or(row.time.endNs), row.time.endNs);
                       });
}

void NsysImport::addRanges()
{
    std::uint64_t withoutLane = 0;
    for (const NsysRow &row : m_ranges) {
        if (row.kind == kMark) {
            m_marks.push_back({TraceMark::Kind::Other, row.time.startNs, kNoFrame, row.text, {}, {}});
            continue;
        }
        // The range of a frame is not work, only the spans within it are.
        const FrameCandidate candidate = candidateOf(row, m_found.sign);
        const NsysFate fate = m_spans.addRange(row, m_found.takes(candidate) ? Category::Tool : categoryOf(row));
        withoutLane += fate.leftOut != nullptr ? 1 : 0;
    }
    m_ranges = {};
    m_tables.leaveOut(NsysUse::Ranges, NsysFate().shownAs, "there are more than 10000 threads and streams",
                      withoutLane);
}

NsysFate NsysImport::addDiagnostic(const NsysRow &row)
{
    constexpr std::int64_t kWarning = 2;
    constexpr std::int64_t kError = 3; // Above are details.
    if (row.kind >= kWarning && row.kind <= kError && m_warnings++ == 0)
        m_firstWarning = row.text;
    m_marks.push_back({TraceMark::Kind::Other, row.time.startNs, kNoFrame, "profiler: " + row.text, {}, {}});
    return {kShownAsMarks, nullptr};
}

Status NsysImport::read(Progress &progress)
{
    RowProgress rows(progress);
    JETSCOPE_TRY(m_tables.open(rows));
    setOrigin();
    // Frames first, because all other rows are assigned to them; calls before the work that they submitted.
    JETSCOPE_TRY(m_tables.each(
        NsysUse::Ranges, [this](NsysRow &row) { return keepRange(row); }, rows));
    if (!findFrames(rows))
        return cancelledError();
    for (const Thread &thread : m_captureThreads)
        m_spans.setRole(thread, LaneRole::Capture);
    setFrames();
    addRanges();
    JETSCOPE_TRY(readCalls(rows));
    JETSCOPE_TRY(readWork(rows));
    JETSCOPE_TRY(m_states.read(rows));
    JETSCOPE_TRY(m_tables.each(
        NsysUse::Diagnostics, [this](NsysRow &row) { return addDiagnostic(row); }, rows));
    return m_tables.countOthers(rows);
}

void NsysImport::setFrames()
{
    m_spans.setFrames(m_found.periods);
    if (!m_found.periods.empty())
        m_spans.setRole({m_found.thread >> 24U, m_found.thread & 0xffffffU}, LaneRole::Pipeline);
}

Status NsysImport::readCalls(Progress &progress)
{
    const std::optional<unsigned> number = loopNumber(m_frameNames.asked());
    CallLoops loops;
    const bool byCalls = m_found.periods.empty() && (number || m_frameNames.asked().empty());
    m_spans.setLoops(byCalls ? &loops : nullptr);
    for (const NsysUse use :
         {NsysUse::Calls, NsysUse::GraphicsCalls, NsysUse::SystemCalls, NsysUse::LibraryCalls, NsysUse::Overhead})
        JETSCOPE_TRY(m_tables.each(
            use, [this, use](NsysRow &row) { return m_spans.addCall(use, row); }, progress));
    m_tables.setOnlyProcess(m_spans.onlyProcess());
    m_spans.setLoops(nullptr);
    if (!byCalls)
        return {};
    JETSCOPE_TRY(m_tables.look(
        NsysUse::Copies,
        [&loops](const NsysRow &row) {
            if (row.correlation != 0)
                loops.addCopy(workNumber(row), directionOf(row.kind));
        },
        progress));
    std::optional<FoundFrames> found = loops.find(number.value_or(0), progress, 0);
    if (!found)
        return cancelledError();
    m_loopChoices = loops.choices();
    m_found = std::move(*found);
    setFrames();
    return {};
}

Status NsysImport::readWork(Progress &progress)
{
    JETSCOPE_TRY(m_tables.each(
        NsysUse::Kernels, [this](NsysRow &row) { return m_spans.addWork(row, row.text, Category::Kernel); }, progress));
    JETSCOPE_TRY(m_tables.each(
        NsysUse::Copies, [this](NsysRow &row) { return m_spans.addWork(row, copyName(row.kind), Category::Copy); },
        progress));
    JETSCOPE_TRY(m_tables.each(
        NsysUse::Memsets,
        [this](NsysRow &row) {
            row.bytes = 0; // They are not copied.
            return m_spans.addWork(row, "memset", Category::Copy);
        },
        progress));
    JETSCOPE_TRY(m_tables.each(
        NsysUse::Graphs, [this](NsysRow &row) { return m_spans.addWork(row, "CUDA graph", Category::Kernel); },
        progress));
    JETSCOPE_TRY(m_tables.each(
        NsysUse::GraphicsWork, [this](NsysRow &row) { return m_spans.addGraphicsWork(row); }, progress));
    JETSCOPE_TRY(m_tables.each(
        NsysUse::Records, [this](NsysRow &row) { return m_spans.addRecord(row); }, progress));
    return m_tables.each(
        NsysUse::Syncs, [this](NsysRow &row) { return m_spans.addSync(row); }, progress);
}

void NsysImport::setOrigin()
{
    TraceOrigin origin;
    origin.device = m_tables.value("TARGET_INFO_GPU", "name");
    origin.program = "Nsight Systems " + m_tables.value("META_DATA_EXPORT", "value", "EXPORT_PRODUCT_VERSION");
    origin.program.resize(origin.program.find_last_not_of(' ') + 1);
    origin.file = m_path;
    origin.wallClockOffsetNs =
        wholeNumberOf(m_tables.value("TARGET_INFO_SESSION_START_TIME", "utcEpochNs")).value_or(0);
    m_trace.setOrigin(std::move(origin));
}

std::vector<std::string> NsysImport::notes()
{
    std::vector<std::string> notes{m_found.howFound(m_frameNames)};
    noteMissing(notes);
    return notes;
}

void NsysImport::noteMissing(std::vector<std::string> &notes)
{
    for (const std::string &view : m_tables.unreadViews())
        notes.push_back(quotedWords(view) + " is a view that computes, and is not read: export the report again");
    for (const ImportAccount::Row &row : m_tables.account().rows())
        if (row.shownAs == kNsysEndless)
            notes.push_back(counted(row.events, "row") + " of " + quotedWords(row.kind)
                            + (row.events == 1 ? " has" : " have") + " no end and last to the end of the trace");
    if (m_tables.lacksThreads(NsysUse::Calls))
        notes.emplace_back("the export does not say which thread made a call of CUDA: all are shown as of one thread");
    if (m_warnings > 0)
        notes.push_back("Nsight Systems warned " + counted(m_warnings, "time")
                        + " while it recorded; first: " + quotedWords(m_firstWarning));
}

bool NsysImport::addMarks(Progress &progress)
{
    const auto byTime = [](const TraceMark &a, const TraceMark &b) { return a.timeNs < b.timeNs; };
    if (!watchedStableSort(m_marks, byTime, progress, kNsysReadShare))
        return false;
    for (TraceMark &mark : m_marks) {
        mark.frame = m_spans.frameAt(mark.timeNs);
        m_trace.add(std::move(mark));
    }
    m_marks = {};
    std::uint64_t discarded = m_trace.marks().discarded();
    for (const NsysUse use : {NsysUse::Ranges, NsysUse::Diagnostics}) {
        const std::uint64_t before = m_tables.account().leftOut();
        m_tables.leaveOut(use, kShownAsMarks, "only the newest 100000 marks are kept", discarded);
        discarded -= m_tables.account().leftOut() - before;
    }
    return true;
}

Result<OpenedTrace> NsysImport::finish(Progress &progress, std::uint64_t mostSpans)
{
    if (!m_found.periods.empty())
        m_found.periods.back().time.endNs =
            std::min(m_found.periods.back().time.endNs, m_lastFrameNs.value_or(m_tables.times().lastNs()));
    if (!addMarks(progress) || !m_states.addCounters(m_trace, progress, kNsysReadShare)
        || !m_spans.moveTo(progress, kNsysReadShare, kNsysMoveShare) || !m_spans.joinEdges(progress, kNsysMoveShare)
        || !addFrames(m_trace, m_found.periods, progress, kNsysMoveShare, 1))
        return cancelledError();
    std::vector<std::string> said = notes();
    m_trace.setMostSpans(mostSpans);
    const std::vector<std::string> names = m_frameChoices.names();
    m_loopChoices.insert(m_loopChoices.end(), names.begin(), names.end());
    return OpenedTrace{std::move(m_trace), std::move(said), std::move(m_loopChoices), std::move(m_tables.account())};
}

} // namespace

Result<OpenedTrace> importNsys(const std::string &path, Progress &progress, std::uint64_t mostSpans,
                               const std::string &framesBy)
{
    JETSCOPE_TRY_ASSIGN(TraceFile file, TraceFile::openDatabase(path));
    Database &database = file.database();
    database.watch([&progress] { return progress.advance(0); });
    JETSCOPE_TRY(database.run("BEGIN"));
    NsysImport import(database, path, framesBy);
    JETSCOPE_TRY(import.read(progress));
    Result<OpenedTrace> opened = import.finish(progress, mostSpans);
    if (opened.ok() && !database.note().empty())
        opened.value().notes.push_back(database.note());
    return opened;
}

} // namespace jetscope
