// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/frameperiods.h"

#include "core/exchange/jsontoken.h"
#include "core/figures/framemetricsbuilder.h"
#include "core/text/shorttext.h"
#include "core/trace/spanorder.h"
#include "core/trace/timelimits.h"
#include "core/trace/watchedsort.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

namespace jetscope {

namespace {

constexpr std::uint64_t kSpansCountedBetweenLooks = 1 << 15;

std::optional<std::uint64_t> numberAtEnd(std::string_view text)
{
    const std::size_t last = text.find_last_not_of("0123456789");
    return countOf(last == std::string_view::npos ? text : text.substr(last + 1));
}

using Rank = std::tuple<bool, FrameSign, bool>;
using GroupKey = std::tuple<Rank, bool, std::uint64_t, std::string>;

GroupKey frameGroupOf(const FrameCandidate &candidate)
{
    return {Rank(candidate.onDevice, candidate.sign, candidate.isMark), candidate.isMark, candidate.thread,
            lowerCase(withoutNumber(candidate.text))};
}

struct FrameGroup {
    std::size_t count = 0;
    std::int64_t durationNs = 0;
};

/// A name alone makes no frames of ranges in which next to nothing happens.
bool coversEnough(const GroupKey &key, const FrameGroup &group, const Interval &whole)
{
    constexpr std::int64_t kMinShare = 20; // 5 %.
    const FrameSign sign = std::get<FrameSign>(std::get<Rank>(key));
    const bool byName = sign == FrameSign::SaysFrame || sign == FrameSign::Outermost;
    return !byName || std::get<1>(key) || group.durationNs >= (whole.endNs - whole.startNs) / kMinShare;
}

/// Keeps the candidates with the best sign and, of these, the largest group; of equal groups, the first by name. None
/// if no group covers enough of the time. Returns false when cancelled.
bool keepBestGroup(std::vector<FrameCandidate> &candidates, const Interval &whole, Progress &progress, double fraction)
{
    std::map<GroupKey, FrameGroup> groups;
    const auto count = [&](const FrameCandidate &candidate) {
        FrameGroup &group = groups[frameGroupOf(candidate)];
        ++group.count;
        group.durationNs = saturatingSum(group.durationNs, candidate.time.endNs - candidate.time.startNs);
    };
    if (!eachWatched(candidates, progress, fraction, count))
        return false;
    auto best = groups.end();
    for (auto at = groups.begin(); at != groups.end(); ++at) {
        if (best != groups.end() && std::get<Rank>(at->first) != std::get<Rank>(best->first))
            break;
        if (coversEnough(at->first, at->second, whole)
            && (best == groups.end() || at->second.count > best->second.count))
            best = at;
    }
    std::vector<FrameCandidate> kept;
    const auto keep = [&](FrameCandidate &candidate) {
        if (best != groups.end() && frameGroupOf(candidate) == best->first)
            kept.push_back(std::move(candidate));
    };
    if (!eachWatched(candidates, progress, fraction, keep))
        return false;
    candidates = std::move(kept);
    return true;
}

/// Whether the numbers in the texts increase strictly, so that they can be the frame numbers.
bool haveRisingNumbers(const std::vector<FrameCandidate> &frames)
{
    std::optional<std::uint64_t> last;
    for (const FrameCandidate &frame : frames) {
        const auto number = numberAtEnd(frame.text);
        if (!number || *number >= kNoFrame || (last && *number <= *last))
            return false;
        last = number;
    }
    return true;
}

/// FrameMetricsBuilder requires names of this process: one name per category and certainty replaces all imported names.
using StandIns = std::array<std::array<NameId, 2>, kCategoryCount>;

StandIns standIns()
{
    StandIns names{};
    for (int i = 0; i < kCategoryCount; ++i)
        for (const Certainty certainty : {Certainty::Exact, Certainty::Bounded})
            names[static_cast<std::size_t>(i)][static_cast<std::size_t>(certainty)] =
                internName("imported", static_cast<Category>(i), certainty);
    return names;
}

/// Passes frames and spans to the metrics builder in order of time.
class Accounting {
public:
    Accounting(Trace &trace, const std::vector<FramePeriod> &periods) : m_trace(trace), m_periods(periods)
    {
        for (const LaneInfo &lane : trace.lanes())
            m_metrics.setLane(lane.id, lane.role);
    }

    void add(const SpanTrack &track, const TraceSpan &span)
    {
        openUntil(span.startNs);
        // The first frame that the span can overlap: the open one, or the next.
        const std::size_t touched = m_open ? m_begun - 1 : m_begun;
        if (touched >= m_periods.size() || m_periods[touched].time.startNs >= span.endNs())
            return;
        const Category category = m_trace.names().category(span.name);
        const NameId name =
            m_names[static_cast<std::size_t>(category)][static_cast<std::size_t>(m_trace.names().certainty(span.name))];
        m_metrics.add({span.startNs, span.durationNs, span.frame, 0, name, track.lane(), track.depth()});
        if (m_open && (category == Category::Copy || category == Category::Upload))
            m_metrics.addBytesCopied(m_periods[m_begun - 1].frame, span.bytes);
    }

    void finish() { openUntil(std::numeric_limits<std::int64_t>::max()); }

private:
    /// Opens and closes all frames up to a time. All spans before that time must have been added.
    void openUntil(std::int64_t ns)
    {
        while (true) {
            if (m_open && m_periods[m_begun - 1].time.endNs <= ns) {
                const FramePeriod &period = m_periods[m_begun - 1];
                m_metrics.finish(period.time.endNs);
                m_metrics.outputComplete(period.frame, period.time.endNs, 0);
                m_metrics.resolved(period.time.endNs);
                m_trace.add(m_metrics.take());
                m_open = false;
            } else if (!m_open && m_begun < m_periods.size() && m_periods[m_begun].time.startNs <= ns) {
                m_metrics.frameStarted(m_periods[m_begun].frame, m_periods[m_begun].time.startNs);
                ++m_begun;
                m_open = true;
            } else {
                return;
            }
        }
    }

    Trace &m_trace;
    const std::vector<FramePeriod> &m_periods;
    const StandIns m_names = standIns();
    FrameMetricsBuilder m_metrics;
    std::size_t m_begun = 0;
    bool m_open = false;
};

} // namespace

bool FoundFrames::takes(const FrameCandidate &candidate) const
{
    return !periods.empty() && why.empty() && candidate.sign == sign && candidate.isMark == isMark
        && candidate.thread == thread && lowerCase(withoutNumber(candidate.text)) == lowerCase(name);
}

std::string FoundFrames::howFound(const FrameNames &names) const
{
    if (!why.empty())
        return why;
    if (periods.empty() && loopNumber(names.asked()))
        return "there are no frames: no loop of calls to CUDA, EGL or GL has the number of \"" + names.asked() + "\"";
    if (periods.empty() && !names.asked().empty())
        return "there are no frames: no range and no mark is named \"" + names.asked() + "\"; names are case-sensitive";
    if (periods.empty())
        return "there are no frames: no range or mark is named after one, as \"frame 1\", \"frame 2\", … would be, and "
               "no loop of calls repeats; select the frames with --frames-by NAME";
    const std::string count = std::to_string(periods.size()) + (periods.size() == 1 ? " frame is" : " frames are");
    if (sign == FrameSign::Ours && isMark)
        return count + " taken from what Jetscope submitted";
    if (sign == FrameSign::Covers)
        return count + " guessed: the range that covers most of the time, \"" + name
            + "\"; name another with --frames-by NAME";
    if (sign == FrameSign::Outermost)
        return count + " guessed: the outermost range that repeats most, \"" + name
            + "\"; name another with --frames-by NAME";
    return count + " taken from the " + (isMark ? "marks" : "ranges") + " named \"" + name + "\""
        + (sign == FrameSign::Ours               ? " that Jetscope made"
               : sign == FrameSign::ProfilerStep ? " that PyTorch made"
               : sign == FrameSign::Step         ? " that their producer marks as steps"
                                                 : "");
}

std::optional<FoundFrames> findFrames(std::vector<FrameCandidate> frames, const Interval &whole, Progress &progress,
                                      double fraction)
{
    if (frames.empty())
        return FoundFrames();
    const auto byStart = [](const FrameCandidate &a, const FrameCandidate &b) {
        return a.time.startNs < b.time.startNs;
    };
    if (!keepBestGroup(frames, whole, progress, fraction) || !watchedStableSort(frames, byStart, progress, fraction))
        return std::nullopt;
    if (frames.empty())
        return FoundFrames();
    const bool numbered = haveRisingNumbers(frames);
    FoundFrames found{{},
                      frames.front().sign,
                      frames.front().thread,
                      frames.front().isMark,
                      std::string(withoutNumber(frames.front().text))};
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const std::uint64_t number = numbered ? *numberAtEnd(frames[i].text) : i;
        Interval time = frames[i].time;
        const std::int64_t next = i + 1 < frames.size() ? frames[i + 1].time.startNs : whole.endNs;
        time.endNs = frames[i].isMark ? next : std::min(time.endNs, i + 1 < frames.size() ? next : time.endNs);
        found.periods.push_back(
            {static_cast<std::uint32_t>(number), {time.startNs, std::max(time.startNs, time.endNs)}});
    }
    return found;
}

bool addFrames(Trace &trace, const std::vector<FramePeriod> &periods, Progress &progress, double from, double to)
{
    if (periods.empty())
        return true;
    Accounting accounting(trace, periods);
    const auto all = static_cast<double>(std::max(std::uint64_t{1}, trace.spanCount()));
    std::uint64_t done = 0;
    bool goesOn = true;
    eachSpanInOrder(trace, [&](const SpanTrack &track, const TraceSpan &span) {
        if (++done % kSpansCountedBetweenLooks == 0)
            goesOn = progress.advance(from + (to - from) * static_cast<double>(done) / all);
        accounting.add(track, span);
        return goesOn;
    });
    accounting.finish();
    return goesOn;
}

} // namespace jetscope
