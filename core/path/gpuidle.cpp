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

/// Goes through the work of all lanes of the GPU.
class GpuSweep {
public:
    GpuSweep(const Trace &trace, GpuTimes &times) : m_trace(trace), m_times(times), m_use(trace.names().size())
    {
        for (const SpanTrack &track : trace.tracks()) {
            const LaneInfo *lane = trace.lane(track.lane());
            if (!lane || !isGpuLane(lane->role))
                continue;
            times.hasLanes = times.hasLanes || hasWork(track);
            m_tracks.add(track, times.time);
        }
        m_tracks.begin();
    }

    /// Appends the gaps. False when cancelled.
    bool run(std::vector<GpuGap> &gaps, Progress &progress)
    {
        Union any{m_times.time.startNs};
        Union kernels = any;
        Union certain = any;
        for (std::uint64_t read = 1; !m_tracks.atEnd(); m_tracks.next(), ++read) {
            const SpanTimes &span = m_tracks.span();
            const Use use = useOf(span.name);
            if (use == Use::None)
                continue;
            const Interval part{std::max(span.startNs, m_times.time.startNs),
                                std::min(span.endNs(), m_times.time.endNs)};
            if (part.startNs > any.untilNs)
                gaps.push_back({{any.untilNs, part.startNs}, m_tracks.lane(), true});
            any.add(part);
            if (use == Use::Kernel || use == Use::BoundedKernel)
                kernels.add(part);
            if (use == Use::Kernel || use == Use::Copy)
                certain.add(part);
            if (read % kIdleReports == 0 && !progress.advance(0))
                return false;
        }
        if (any.untilNs < m_times.time.endNs)
            gaps.push_back({{any.untilNs, m_times.time.endNs}, 0, false});
        m_times.kernelNs = kernels.ns;
        m_times.copyNs = any.ns - kernels.ns;
        m_times.boundedNs = any.ns - certain.ns;
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
    GpuTimes &m_times;
    MergedTracks m_tracks;
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
            cause = *during;
        GpuIdleCause &sum = m_causes[{cause.kind, cause.lane, cause.name}];
        if (sum.gaps == 0)
            sum = cause;
        sum.ns += ns;
        ++sum.gaps;
        if (ns > sum.longest.endNs - sum.longest.startNs)
            sum.longest = gap.time;
    }

    std::vector<GpuIdleCause> take()
    {
        std::vector<GpuIdleCause> causes;
        for (const auto &[key, cause] : m_causes)
            causes.push_back(cause);
        std::stable_sort(causes.begin(), causes.end(),
                         [](const GpuIdleCause &a, const GpuIdleCause &b) { return a.ns > b.ns; });
        return causes;
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

    std::optional<GpuIdleCause> spanIn(const GpuGap &gap)
    {
        const auto launcher = launcherOf(gap);
        std::optional<GpuIdleCause> best;
        std::int64_t mostNs = 0;
        for (const bool onlyLauncher : {true, false}) {
            for (const Thread &thread : m_threads) {
                if (onlyLauncher && thread.lane != launcher)
                    continue;
                const auto [name, ns] = deepestIn(thread, gap.time);
                if (ns > mostNs) {
                    mostNs = ns;
                    best = GpuIdleCause{GpuIdleCause::Kind::During, thread.lane, name, 0, 0, {}};
                }
            }
            if (best)
                break;
        }
        return best;
    }

    /// The deepest span that lasts for half of the time or longer, and how long it lasts within; 0 if there is none.
    /// The range of a frame says nothing.
    std::pair<TraceName, std::int64_t> deepestIn(const Thread &thread, Interval time)
    {
        const std::int64_t least = (time.endNs - time.startNs + 1) / 2;
        for (std::size_t i = thread.last; i-- > thread.first;) {
            const SpanTrack &track = m_trace.tracks()[i];
            const auto [first, last] = track.range(time.startNs, time.endNs);
            for (std::uint64_t index = first; index < std::min(last, first + kMaxReadInGap); ++index) {
                const TraceSpan span = track.at(index);
                const std::int64_t ns = std::min(span.endNs(), time.endNs) - std::max(span.startNs, time.startNs);
                if (ns >= least && m_trace.names().category(span.name) != Category::Tool)
                    return {m_groups.nameOf(m_groups.of(span.name)), ns};
            }
        }
        return {0, 0};
    }

    const Trace &m_trace;
    NameGroups m_groups;
    std::vector<Thread> m_threads;
    std::map<std::tuple<GpuIdleCause::Kind, LaneId, TraceName>, GpuIdleCause> m_causes;
};

} // namespace

std::optional<GpuTimes> gpuTimes(const Trace &trace, Interval time, Progress &progress)
{
    GpuTimes times;
    times.time = time;
    std::vector<GpuGap> gaps;
    if (!GpuSweep(trace, times).run(gaps, progress))
        return std::nullopt;
    if (!times.hasLanes)
        return times;
    GapCauses causes(trace);
    std::uint64_t done = 0;
    for (const GpuGap &gap : gaps) {
        causes.add(gap);
        if (++done % 1024 == 0 && !progress.advance(static_cast<double>(done) / static_cast<double>(gaps.size())))
            return std::nullopt;
    }
    times.idle = causes.take();
    return times;
}

} // namespace jetscope
