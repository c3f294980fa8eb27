// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/foreignframes.h"

#include "core/text/shorttext.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

namespace jetscope {

namespace {

constexpr std::uint64_t kMinGuessed = 3;
constexpr double kMaxOfTime = 0.5;
constexpr std::size_t kMaxDepth = 256;
constexpr std::uint64_t kPlaceFactor = UINT64_C(0x9e3779b97f4a7c15);

/// The name of a range without what differs from round to round: the address of an object, and in the hash a number at
/// its end.
std::string_view placeText(std::string_view name)
{
    return name.substr(0, name.find(" at 0x"));
}

/// Whether it is a function of Python in a file of the program, as PyTorch's profiler writes it.
bool isProgramFunction(std::string_view text)
{
    return text.find(".py(") != std::string_view::npos && !text.starts_with("torch/")
        && text.find("-packages/") == std::string_view::npos;
}

std::uint64_t placeHash(std::string_view name)
{
    return std::hash<std::string_view>()(withoutNumber(placeText(name)));
}

/// Names of waiting, which fills the time without being what repeats.
bool namesWait(std::string_view name)
{
    for (const std::string_view part :
         {"wait", "Wait", "idle", "Idle", "sleep", "Sleep", "poll", "Poll", "acquire", "select"})
        if (name.find(part) != std::string_view::npos)
            return true;
    return false;
}

/// The time of ranges that follow one another; empty if any begins before the one before it ends.
std::optional<std::int64_t> coveredBy(std::vector<FrameCandidate> &ranges)
{
    std::int64_t covered = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (i > 0 && ranges[i].time.startNs < ranges[i - 1].time.endNs)
            return std::nullopt;
        covered = saturatingSum(covered, ranges[i].time.endNs - ranges[i].time.startNs);
    }
    return covered;
}

} // namespace

ForeignFrames::ForeignFrames(ForeignLanes &lanes, const TraceNames &names, const FrameNames &frameNames,
                             const NameFacts &facts, std::function<bool(LaneId)> isSummary)
    : m_lanes(lanes), m_names(names), m_frameNames(frameNames), m_facts(facts), m_isSummary(std::move(isSummary))
{
}

bool ForeignFrames::isFrame(TraceName name) const
{
    return !m_found.periods.empty() && name < m_signs.size() && m_signs[name] == m_found.sign
        && withoutNumber(m_names.text(name)) == m_found.name;
}

/// Number and total duration of each name's spans on CPU threads, and the time of all spans.
bool ForeignFrames::addUp(Progress &progress, double fraction)
{
    std::vector<std::pair<std::uint64_t, std::int64_t>> sums(m_names.size());
    Interval whole{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        const auto lane = static_cast<LaneId>(i);
        const bool counts = !isGpuLane(m_lanes.info(lane).role) && !m_isSummary(lane);
        m_lanes.each(lane, [&](const TraceSpan &span) {
            whole = {std::min(whole.startNs, span.startNs), std::max(whole.endNs, span.endNs())};
            if (!counts)
                return;
            ++sums[span.name].first;
            sums[span.name].second = saturatingSum(sums[span.name].second, span.durationNs);
        });
        if (!progress.advance(fraction))
            return false;
    }
    m_whole = whole.startNs <= whole.endNs ? whole : Interval();
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (const auto name = static_cast<TraceName>(i); !m_facts.isFunction(name))
            m_choices.add(m_names.text(name), sums[i].first, sums[i].second);
    return true;
}

bool ForeignFrames::collect(std::vector<FrameCandidate> &candidates, Progress &progress, double fraction)
{
    m_signs.assign(m_names.size(), std::nullopt);
    for (std::size_t i = 0; i < m_signs.size(); ++i) {
        const auto name = static_cast<TraceName>(i);
        m_signs[i] = m_frameNames.signOf(m_names.text(name));
        if (m_frameNames.asked().empty() && m_facts.isStep(name) && m_signs[i] != FrameSign::ProfilerStep)
            m_signs[i] = FrameSign::Step;
        if (m_signs[i] == FrameSign::SaysFrame && m_facts.isFunction(name))
            m_signs[i].reset();
    }
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        const auto lane = static_cast<LaneId>(i);
        const bool onDevice = isGpuLane(m_lanes.info(lane).role) || m_isSummary(lane);
        m_lanes.each(lane, [&](const TraceSpan &span) {
            if (const auto sign = m_signs[span.name])
                candidates.push_back(
                    {m_names.text(span.name), lane, {span.startNs, span.endNs()}, false, *sign, onDevice});
        });
        if (!progress.advance(fraction))
            return false;
    }
    return true;
}

/// Names of ranges that together last for most of the time, longest first.
std::vector<std::string> ForeignFrames::coveringNames() const
{
    constexpr std::size_t kMaxNames = 8;
    std::vector<std::pair<double, std::string>> found;
    const double least = kMaxOfTime * static_cast<double>(m_whole.endNs - m_whole.startNs);
    for (const auto &[name, sum] : m_choices.sums())
        if (sum.count >= kMinGuessed && sum.durationNs >= least && least > 0 && !isFunctionName(name)
            && !namesWait(name))
            found.emplace_back(-sum.durationNs, name);
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(kMaxNames, found.size()); ++i)
        names.push_back(std::move(found[i].second));
    return names;
}

bool ForeignFrames::collectNamed(const std::string &name, std::vector<FrameCandidate> &candidates, Progress &progress,
                                 double fraction)
{
    std::vector<bool> hasName(m_names.size());
    for (std::size_t i = 0; i < hasName.size(); ++i) {
        const auto id = static_cast<TraceName>(i);
        hasName[i] = m_names.category(id) == Category::CpuStage && !m_facts.isFunction(id)
            && withoutNumber(m_names.text(id)) == name;
    }
    const double least = kMaxOfTime * static_cast<double>(m_whole.endNs - m_whole.startNs);
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        const auto lane = static_cast<LaneId>(i);
        if (isGpuLane(m_lanes.info(lane).role) || m_lanes.info(lane).role == LaneRole::Tool)
            continue;
        std::int64_t sum = 0;
        m_lanes.each(
            lane, [&](const TraceSpan &span) { sum = hasName[span.name] ? saturatingSum(sum, span.durationNs) : sum; });
        if (static_cast<double>(sum) < least)
            continue;
        std::vector<FrameCandidate> ranges;
        std::size_t outer = 0;
        const auto take = [&](const TraceSpan &span, bool encloses) {
            outer += encloses ? 1 : 0;
            ranges.push_back(
                {m_names.text(span.name), lane, {span.startNs, span.endNs()}, false, FrameSign::Covers, false});
        };
        if (!m_lanes.eachRange(
                lane, [&](const TraceSpan &span) { return bool(hasName[span.name]); }, take, progress, fraction))
            return false;
        const auto covered = coveredBy(ranges);
        // A call that repeats is no range.
        const bool haveWork = 2 * outer >= ranges.size();
        if (haveWork && ranges.size() >= kMinGuessed && covered && static_cast<double>(*covered) >= least) {
            candidates = std::move(ranges);
            for (std::size_t id = 0; id < hasName.size(); ++id)
                if (hasName[id])
                    m_signs[id] = FrameSign::Covers;
            return true;
        }
    }
    return true;
}

/// The first of these names whose ranges follow one another on one thread, with other spans within most of them.
bool ForeignFrames::guess(std::vector<FrameCandidate> &candidates, Progress &progress, double fraction)
{
    candidates.clear();
    for (const std::string &name : coveringNames()) {
        if (!collectNamed(name, candidates, progress, fraction))
            return false;
        if (!candidates.empty())
            break;
    }
    return true;
}

std::vector<std::string> ForeignFrames::choices() const
{
    std::vector<std::string> all = m_loopChoices;
    std::vector<std::string> names = m_choices.names();
    all.insert(all.end(), std::move_iterator(names.begin()), std::move_iterator(names.end()));
    return all;
}

/// A call is where the ranges around it are: functions of the program, where its profiler saw them.
bool ForeignFrames::addCalls(LaneId lane, CallLoops &loops, Progress &progress, double fraction)
{
    struct Open {
        std::int64_t endNs;
        CallPlace place;
    };
    std::vector<Open> around;
    std::unordered_map<TraceName, std::optional<std::uint64_t>> places; // Empty for calls.
    bool hasFunctions = false;
    // A function of the program says more than the operation of a framework in it.
    const auto textWithin = [&](const CallPlace &outer, TraceName name) {
        const std::string_view text = placeText(m_names.text(name));
        const bool isOwn = isProgramFunction(text);
        hasFunctions = hasFunctions || isOwn;
        return hasFunctions && !isOwn && !outer.text.empty() ? outer.text : text;
    };
    const auto take = [&](const TraceSpan &span) {
        const auto [known, isNew] = places.try_emplace(span.name);
        if (isNew && !CallLoops::knows(m_names.text(span.name)))
            known->second = placeHash(m_names.text(span.name));
        while (!around.empty() && around.back().endNs <= span.startNs)
            around.pop_back();
        const CallPlace outer = around.empty() ? CallPlace() : around.back().place;
        if (!known->second)
            loops.add(lane, m_names.text(span.name), {span.startNs, span.endNs()}, outer);
        else if (around.size() < kMaxDepth)
            around.push_back(
                {span.endNs(), {outer.hash * kPlaceFactor + *known->second, textWithin(outer, span.name)}});
    };
    return m_lanes.eachInOrder(lane, take, progress, fraction);
}

/// Returns an empty optional when cancelled.
std::optional<FoundFrames> ForeignFrames::byCalls(unsigned number, Progress &progress, double fraction)
{
    CallLoops loops;
    for (std::size_t i = 0; i < m_lanes.lanes(); ++i) {
        const auto lane = static_cast<LaneId>(i);
        if (!isGpuLane(m_lanes.info(lane).role) && !m_isSummary(lane) && !addCalls(lane, loops, progress, fraction))
            return std::nullopt;
    }
    std::optional<FoundFrames> found = loops.find(number, progress, fraction);
    m_loopChoices = loops.choices();
    return found;
}

bool ForeignFrames::find(const std::vector<TraceMark> &marks, Progress &progress, double fraction)
{
    std::vector<FrameCandidate> candidates;
    if (!addUp(progress, fraction) || !collect(candidates, progress, fraction))
        return false;
    if (candidates.empty())
        for (const TraceMark &mark : marks)
            if (const auto sign = m_frameNames.signOf(mark.text))
                candidates.push_back({mark.text, 0, {mark.timeNs, mark.timeNs}, true, *sign, false});
    const Interval whole{m_whole.startNs, std::max(m_whole.endNs, marks.empty() ? m_whole.endNs : marks.back().timeNs)};
    std::optional<FoundFrames> found = findFrames(std::move(candidates), whole, progress, fraction);
    if (found && found->periods.empty() && m_frameNames.asked().empty()) {
        candidates = {};
        if (!guess(candidates, progress, fraction))
            return false;
        found = findFrames(std::move(candidates), whole, progress, fraction);
    }
    const std::optional<unsigned> number = loopNumber(m_frameNames.asked());
    if (found && found->periods.empty() && (number || m_frameNames.asked().empty()))
        found = byCalls(number.value_or(0), progress, fraction);
    if (!found)
        return false;
    m_found = std::move(*found);
    return true;
}

} // namespace jetscope
