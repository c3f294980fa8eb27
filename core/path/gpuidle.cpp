// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/gpuidle.h"

#include "core/path/namegroups.h"
#include "core/path/owntimes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace jetscope {

namespace {

constexpr std::uint64_t kIdleReports = 1 << 15;
/// Spans of one depth that are read in a gap: with more, hardly one lasts for half of it.
constexpr std::uint64_t kMaxReadInGap = 256;
constexpr std::uint64_t kMaxReadForWork = 4096;

/// A period in which the GPU did nothing, and the work that ended it.
struct GpuGap {
    Interval time;
    LaneId nextLane = 0;
    bool hasNext = false;
};

/// Reads the spans of several tracks in order of start.
class MergedTracks {
public:
    void add(const SpanTrack &track, Interval time)
    {
        auto cursor = std::make_unique<SpanCursor>(track, time);
        if (!cursor->atEnd())
            m_heads.push_back({(*cursor)->startNs, track.lane(), std::move(cursor)});
    }
    /// After adding all tracks.
    void begin() { std::make_heap(m_heads.begin(), m_heads.end(), isLater); }
    bool atEnd() const { return m_heads.empty(); }
    const SpanTimes &span() const { return **m_heads.front().cursor; }
    LaneId lane() const { return m_heads.front().lane; }
    void next()
    {
        Head &head = m_heads.front();
        head.cursor->next();
        if (head.cursor->atEnd()) {
            std::pop_heap(m_heads.begin(), m_heads.end(), isLater);
            m_heads.pop_back();
            return;
        }
        head.startNs = (*head.cursor)->startNs;
        for (std::size_t at = 0;;) { // Sinks to its place, usually not far.
            std::size_t child = 2 * at + 1;
            if (child >= m_heads.size())
                return;
            child += child + 1 < m_heads.size() && isLater(m_heads[child], m_heads[child + 1]) ? 1 : 0;
            if (!isLater(m_heads[at], m_heads[child]))
                return;
            std::swap(m_heads[at], m_heads[child]);
            at = child;
        }
    }

private:
    struct Head {
        std::int64_t startNs;
        LaneId lane;
        std::unique_ptr<SpanCursor> cursor;
    };
    static bool isLater(const Head &a, const Head &b) { return a.startNs > b.startNs; }

    std::vector<Head> m_heads;
};

/// Goes through the work of all lanes of a GPU.
class GpuSweeps {
public:
    explicit GpuSweeps(const Trace &trace) : m_trace(trace), m_use(trace.names().size())
    {
        for (const SpanTrack &track : trace.tracks())
            if (const LaneInfo *lane = trace.lane(track.lane()); lane && isGpuLane(lane->role)) {
                Gpu &gpu = gpuOf(lane->gpu);
                gpu.tracks.push_back(&track);
                gpu.works = gpu.works || hasWork(track);
            }
        std::erase_if(m_gpus, [](const Gpu &gpu) { return !gpu.works; });
        if (m_gpus.size() == 2 && !m_gpus.back().number) // As of a context of GL beside the streams.
            join();
        if (m_gpus.size() == 1)
            m_gpus.front().number.reset();
    }

    std::size_t gpus() const { return m_gpus.size(); }

    /// Sets the busy times of a GPU and appends its gaps. False when cancelled.
    bool run(std::size_t place, GpuTimes &times, std::vector<GpuGap> &gaps, Progress &progress)
    {
        times.gpu = m_gpus[place].number;
        MergedTracks tracks;
        for (const SpanTrack *track : m_gpus[place].tracks)
            tracks.add(*track, times.time);
        tracks.begin();
        Union any{times.time.startNs};
        Union kernels = any;
        Union certain = any;
        for (std::uint64_t read = 1; !tracks.atEnd(); tracks.next(), ++read) {
            const SpanTimes &span = tracks.span();
            const Use use = useOf(span.name);
            if (use == Use::None)
                continue;
            const Interval part{std::max(span.startNs, times.time.startNs), std::min(span.endNs(), times.time.endNs)};
            if (part.startNs > any.untilNs)
                gaps.push_back({{any.untilNs, part.startNs}, tracks.lane(), true});
            any.add(part);
            if (use == Use::Kernel || use == Use::BoundedKernel)
                kernels.add(part);
            if (use == Use::Kernel || use == Use::Copy)
                certain.add(part);
            if (read % kIdleReports == 0 && !progress.advance(0))
                return false;
        }
        if (any.untilNs < times.time.endNs)
            gaps.push_back({{any.untilNs, times.time.endNs}, 0, false});
        times.kernelNs = kernels.ns;
        times.copyNs = any.ns - kernels.ns;
        times.boundedNs = any.ns - certain.ns;
        return true;
    }

private:
    enum class Use : std::uint8_t { Unknown, None, Kernel, Copy, BoundedKernel, BoundedCopy };
    struct Union {
        std::int64_t untilNs;
        std::int64_t ns = 0;

        void add(Interval by)
        {
            ns += std::max<std::int64_t>(0, by.endNs - std::max(by.startNs, untilNs));
            untilNs = std::max(untilNs, by.endNs);
        }
    };

    struct Gpu {
        std::optional<std::uint32_t> number;
        std::vector<const SpanTrack *> tracks;
        bool works = false;
    };

    /// In order of their numbers, the one without a number last.
    Gpu &gpuOf(std::optional<std::uint32_t> number)
    {
        const auto isBefore = [](const Gpu &gpu, std::optional<std::uint32_t> other) {
            return gpu.number && (!other || *gpu.number < *other);
        };
        const auto place = std::lower_bound(m_gpus.begin(), m_gpus.end(), number, isBefore);
        if (place != m_gpus.end() && place->number == number)
            return *place;
        return *m_gpus.insert(place, Gpu{number, {}, false});
    }

    void join()
    {
        const std::vector<const SpanTrack *> &others = m_gpus.back().tracks;
        m_gpus.front().tracks.insert(m_gpus.front().tracks.end(), others.begin(), others.end());
        m_gpus.pop_back();
    }

    /// Whether any of the first spans, whenever it was, is work: lanes of a profiler may only have what sums up others.
    bool hasWork(const SpanTrack &track)
    {
        for (std::uint64_t i = track.firstIndex(); i < std::min(track.endIndex(), track.firstIndex() + kMaxReadForWork);
             ++i)
            if (useOf(track.at(i).name) != Use::None)
                return true;
        return false;
    }

    Use useOf(TraceName name)
    {
        if (m_use[name] != Use::Unknown)
            return m_use[name];
        const SpanName &known = m_trace.names().at(name);
        const bool isKernel = workKindOf(known.category) == WorkKind::Kernel;
        Use use = isKernel ? Use::Kernel : Use::Copy;
        if (known.category == Category::Tool || isWait(known.category))
            use = Use::None;
        else if (known.certainty == Certainty::Bounded)
            use = isKernel ? Use::BoundedKernel : Use::BoundedCopy;
        return m_use[name] = use;
    }

    const Trace &m_trace;
    std::vector<Gpu> m_gpus;
    std::vector<Use> m_use; ///< By name.
};

/// Finds what the CPU did in gaps.
class GapCauses {
public:
    explicit GapCauses(const Trace &trace) : m_trace(trace), m_groups(trace.names())
    {
        eachLane(trace, [this](const LaneInfo &lane, std::size_t first, std::size_t last) {
            if (isWorkLane(lane.role) && nestsSpans(lane.role))
                m_threads.push_back({lane.id, first, last});
            return true;
        });
    }

    void add(const GpuGap &gap)
    {
        const std::int64_t ns = gap.time.endNs - gap.time.startNs;
        GpuIdleCause cause;
        if (ns < GpuTimes::kShortGapNs)
            cause.kind = GpuIdleCause::Kind::Short;
        else if (const auto during = spanIn(gap))
            cause = {GpuIdleCause::Kind::During, m_trace.tracks()[during->track].lane(), during->name, 0, 0, {}};
        GpuIdleCause &sum = m_causes[{cause.kind, cause.lane, cause.name}];
        if (sum.gaps == 0)
            sum = cause;
        sum.ns += ns;
        ++sum.gaps;
        if (ns > sum.longest.endNs - sum.longest.startNs)
            sum.longest = gap.time;
    }

    /// What was added since the last call.
    std::vector<GpuIdleCause> take()
    {
        std::vector<GpuIdleCause> causes;
        for (const auto &[key, cause] : std::exchange(m_causes, {}))
            causes.push_back(cause);
        std::stable_sort(causes.begin(), causes.end(),
                         [](const GpuIdleCause &a, const GpuIdleCause &b) { return a.ns > b.ns; });
        return causes;
    }

    /// A span of the CPU in a gap.
    struct During {
        std::size_t track;
        std::uint64_t index;
        TraceName name;
        std::int64_t ns; ///< How long it lasts within the gap.
    };

    /// The deepest span that lasts for half of the gap or longer, of the thread that launched the work behind it if
    /// there is one.
    std::optional<During> spanIn(const GpuGap &gap)
    {
        const auto launcher = launcherOf(gap);
        std::optional<During> best;
        for (const bool onlyLauncher : {true, false}) {
            for (const Thread &thread : m_threads) {
                if (onlyLauncher && thread.lane != launcher)
                    continue;
                const std::optional<During> deepest = deepestIn(thread, gap.time);
                if (deepest && deepest->ns > (best ? best->ns : 0))
                    best = deepest;
            }
            if (best)
                break;
        }
        return best;
    }

private:
    struct Thread {
        LaneId lane;
        std::size_t first; ///< Its tracks.
        std::size_t last;
    };

    std::optional<LaneId> launcherOf(const GpuGap &gap) const
    {
        if (!gap.hasNext)
            return std::nullopt;
        const std::vector<SpanEdge> edges = m_trace.edgesTo(gap.nextLane, gap.time.endNs);
        return edges.empty() ? std::nullopt : std::optional(edges.front().fromLane);
    }

    /// The range of a frame says nothing.
    std::optional<During> deepestIn(const Thread &thread, Interval time)
    {
        const std::int64_t least = (time.endNs - time.startNs + 1) / 2;
        for (std::size_t i = thread.last; i-- > thread.first;) {
            const SpanTrack &track = m_trace.tracks()[i];
            const auto [first, last] = track.range(time.startNs, time.endNs);
            for (std::uint64_t index = first; index < std::min(last, first + kMaxReadInGap); ++index) {
                const TraceSpan span = track.at(index);
                const std::int64_t ns = std::min(span.endNs(), time.endNs) - std::max(span.startNs, time.startNs);
                if (ns >= least && m_trace.names().category(span.name) != Category::Tool)
                    return During{i, index, m_groups.nameOf(m_groups.of(span.name)), ns};
            }
        }
        return std::nullopt;
    }

    const Trace &m_trace;
    NameGroups m_groups;
    std::vector<Thread> m_threads;
    std::map<std::tuple<GpuIdleCause::Kind, LaneId, TraceName>, GpuIdleCause> m_causes;
};

/// Reads the gaps of each GPU: `take(times, gap)` for each, `end(times)` behind the last. False when cancelled.
template <class Take, class End>
bool eachGap(const Trace &trace, Interval time, Progress &progress, Take take, End end)
{
    GpuSweeps sweeps(trace);
    for (std::size_t i = 0; i < sweeps.gpus(); ++i) {
        GpuTimes times;
        times.time = time;
        std::vector<GpuGap> gaps;
        if (!sweeps.run(i, times, gaps, progress))
            return false;
        std::uint64_t done = 0;
        for (const GpuGap &gap : gaps) {
            take(gap);
            const double part = static_cast<double>(++done) / static_cast<double>(gaps.size());
            if (done % 1024 == 0
                && !progress.advance((static_cast<double>(i) + part) / static_cast<double>(sweeps.gpus())))
                return false;
        }
        end(std::move(times));
    }
    return true;
}

} // namespace

std::optional<std::vector<GpuTimes>> gpuTimes(const Trace &trace, Interval time, Progress &progress)
{
    std::vector<GpuTimes> all;
    GapCauses causes(trace);
    const bool whole = eachGap(
        trace, time, progress, [&causes](const GpuGap &gap) { causes.add(gap); },
        [&](GpuTimes times) {
            times.idle = causes.take();
            all.push_back(std::move(times));
        });
    return whole ? std::optional(std::move(all)) : std::nullopt;
}

std::optional<std::vector<GpuIdleGaps>> gpuIdleGaps(const Trace &trace, Progress &progress)
{
    std::vector<GpuIdleGaps> all;
    GapCauses causes(trace);
    std::vector<GpuIdleGap> gaps;
    const bool whole = eachGap(
        trace, {trace.oldestNs(), trace.newestNs()}, progress,
        [&](const GpuGap &gap) {
            if (gap.time.endNs - gap.time.startNs < GpuTimes::kShortGapNs)
                return;
            const auto during = causes.spanIn(gap);
            gaps.push_back(during ? GpuIdleGap{gap.time, during->track, during->index} : GpuIdleGap{gap.time});
        },
        [&](const GpuTimes &times) {
            all.push_back({times.gpu, std::exchange(gaps, {})});
        });
    return whole ? std::optional(std::move(all)) : std::nullopt;
}

} // namespace jetscope
