// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/pathrules.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

namespace jetscope {

namespace {

/// Work that begins this soon after other work of its queue was submitted before that work ended, so there is no launch
/// delay.
constexpr std::int64_t kBackToBackNs = 20'000;
/// The usual upper limit of a thread's wake-up latency. A later wake-up has a different cause.
constexpr std::int64_t kHeardOfNs = 100'000;
/// The longest idle time of a thread without a wait span that still counts as a wake-up.
constexpr std::int64_t kLongestSleepNs = 2'000'000;
/// The longest duration that counts as the cost of a call with nothing to wait for.
constexpr std::int64_t kLongestCallNs = 500'000;
/// Upper limit of the slack: a lane with a larger uncertainty cannot be ordered with others, and its times are used as
/// they are.
constexpr std::int64_t kMaxSlackNs = 50'000;
/// Limits of the spans and lanes that are checked for the release of a wait.
constexpr std::size_t kMaxReleasers = 16;
constexpr std::size_t kMaxReleasingLanes = 3;

bool isBefore(const PathSpan &a, const PathSpan &b)
{
    return std::tie(a.lane, a.startNs) < std::tie(b.lane, b.startNs);
}

std::optional<PathIndex::Group> groupOf(LaneRole role)
{
    switch (role) {
    case LaneRole::DeviceStream:
        return PathIndex::Device;
    case LaneRole::Engine:
        return PathIndex::Engine;
    case LaneRole::GlQueue:
        return PathIndex::Gl;
    case LaneRole::CpuStage:
        return PathIndex::CpuStage;
    case LaneRole::Capture:
        return PathIndex::Capture;
    case LaneRole::View:
        return PathIndex::View;
    case LaneRole::Pipeline:
    case LaneRole::Tool:
        break;
    }
    return std::nullopt;
}

} // namespace

PathLane pathLaneOf(const LaneInfo &info)
{
    PathLane lane;
    lane.role = info.role;
    lane.emulated = info.emulated;
    return lane;
}

std::int64_t slackOf(double uncertaintyNs)
{
    return uncertaintyNs > 0 ? static_cast<std::int64_t>(std::min(uncertaintyNs, 1e9)) : 0;
}

void PathRules::setLane(LaneId id, const PathLane &lane)
{
    if (id >= m_lanes.size())
        m_lanes.resize(id + std::size_t{1});
    m_lanes[id] = lane;
    m_lanes[id]->slackNs = std::clamp<std::int64_t>(lane.slackNs, 0, kMaxSlackNs);
    m_slackNs = std::max(m_slackNs, m_lanes[id]->slackNs);
}

const PathLane *PathRules::laneOf(LaneId id) const
{
    return id < m_lanes.size() && m_lanes[id] ? &*m_lanes[id] : nullptr;
}

void PathRules::clear()
{
    m_spans.clear();
    m_links.clear();
    m_frames.clear();
    m_pieces.clear();
    m_index.clear();
    m_graph.clear();
}

void PathRules::add(const PathSpan &span)
{
    const PathLane *lane = laneOf(span.lane);
    if (lane && lane->role != LaneRole::Tool && span.endNs > span.startNs)
        m_spans.push_back(span);
}

void PathRules::build()
{
    if (!std::is_sorted(m_spans.begin(), m_spans.end(), isBefore))
        std::stable_sort(m_spans.begin(), m_spans.end(), isBefore);
    std::sort(m_links.begin(), m_links.end(), [](const SpanEdge &a, const SpanEdge &b) {
        return std::tie(a.toLane, a.toNs) < std::tie(b.toLane, b.toNs);
    });
    makeNodes();
    m_index.seal();
    const auto nodes = static_cast<NodeId>(m_graph.size());
    for (NodeId id = 0; id < nodes; ++id) {
        connectLane(id);
        if (m_graph.node(id).waits)
            connectWait(id);
        if (m_pieces[id].isFirst)
            connectStart(id);
    }
    m_firstCompletion = nodes;
    for (const PathFrame &frame : m_frames) {
        PathNode node;
        node.startNs = node.endNs = frame.time.endNs;
        node.frame = frame.frame;
        connectCompletion(m_graph.add(node));
    }
    m_graph.seal();
    for (NodeId id = 0; id < nodes; ++id)
        if (m_graph.node(id).waits)
            judgeUnreleased(id);
}

void PathRules::makeNodes()
{
    m_firstNode.assign(m_spans.size(), 0);
    m_lastNode.assign(m_spans.size(), 0);
    std::uint32_t first = 0;
    for (std::uint32_t i = 1; i <= m_spans.size(); ++i) {
        if (i < m_spans.size() && m_spans[i].lane == m_spans[first].lane)
            continue;
        makeNodesOfLane(first, i);
        first = i;
    }
}

void PathRules::makeNodesOfLane(std::uint32_t first, std::uint32_t last)
{
    const LaneRole role = laneOf(m_spans[first].lane)->role;
    const auto firstOfLane = static_cast<NodeId>(m_graph.size());
    for (std::uint32_t i = first; i < last; ++i)
        m_firstNode[i] = m_lastNode[i] = std::numeric_limits<NodeId>::max();
    for (const LaneSegment &segment : laneSegments({m_spans.data() + first, last - first})) {
        const std::uint32_t index = first + segment.span;
        const PathSpan &span = m_spans[index];
        const bool outside = span.scope == WaitScope::Input && role == LaneRole::Capture;
        PathNode node;
        node.startNs = segment.startNs;
        node.endNs = segment.endNs;
        node.frame = span.frame;
        node.name = span.name;
        node.lane = span.lane;
        node.bounded = span.bounded;
        node.waits = span.scope != WaitScope::None && !outside;
        node.cause = outside                ? PathCause::Camera
            : span.scope != WaitScope::None ? PathCause::Unknown
            : isWait(span.category)         ? PathCause::Call
                                            : causeOfWork(span.category);
        const NodeId id = m_graph.add(node);
        const bool isFirst = m_firstNode[index] > id;
        if (isFirst)
            m_firstNode[index] = id;
        m_lastNode[index] = id;
        m_pieces.push_back({index, isFirst, segment.endNs == span.endNs});
    }
    for (auto id = firstOfLane; id < m_graph.size(); ++id)
        enter(id, m_spans[m_pieces[id].span]);
}

/// A span that continues after a nested span does not end where the nested span begins: only its last piece can release
/// others.
void PathRules::enter(NodeId id, const PathSpan &span)
{
    const PathNode &node = m_graph.node(id);
    const PathIndex::Entry entry{node.startNs, node.endNs, id, node.frame, node.lane};
    const LaneRole role = laneOf(span.lane)->role;
    if (role == LaneRole::Pipeline)
        m_index.add(node.waits ? PathIndex::PipelineWaits : PathIndex::PipelineWork, entry);
    else if (const auto group = groupOf(role); group && !node.waits && m_pieces[id].isLast)
        m_index.add(*group, entry);
}

/// Work of a lane follows the previous work of that lane.
void PathRules::connectLane(NodeId id)
{
    if (id == 0 || m_graph.node(id - 1).lane != m_graph.node(id).lane)
        return;
    const PathNode &before = m_graph.node(id - 1);
    const bool gpu = isGpuLane(laneOf(before.lane)->role);
    m_graph.add(
        id, {id - 1, before.endNs, gpu ? gpuDelay(id, before.endNs) : PathCause::Unknown, PathGraph::Reaches::Start});
}

/// Time at which the lane's previous work ended.
std::optional<std::int64_t> PathRules::laneFreeNs(NodeId id) const
{
    if (id == 0 || id >= m_pieces.size() || m_graph.node(id - 1).lane != m_graph.node(id).lane)
        return std::nullopt;
    return m_graph.node(id - 1).endNs;
}

void PathRules::connectStart(NodeId id)
{
    const bool waits = m_graph.node(id).waits;
    if (!waits && link(id))
        return;
    switch (laneOf(m_graph.node(id).lane)->role) {
    case LaneRole::DeviceStream:
        connectSubmitted(id);
        break;
    case LaneRole::Engine:
        addSubmission(id);
        break;
    case LaneRole::GlQueue:
    case LaneRole::CpuStage:
        connectPosted(id, !waits);
        break;
    case LaneRole::View:
        behind(id, m_index.ofFrame(PathIndex::Gl, m_graph.node(id).frame), PathCause::WakeUp);
        behind(id, m_index.ofFrame(PathIndex::Device, m_graph.node(id).frame), PathCause::WakeUp);
        break;
    case LaneRole::Capture:
        connectCapture(id);
        break;
    case LaneRole::Pipeline:
        if (const auto freeNs = laneFreeNs(id); freeNs && *freeNs + kHeardOfNs < m_graph.node(id).startNs)
            wokenBy(id, PathIndex::Capture);
        break;
    case LaneRole::Tool:
        break;
    }
}

/// Adds the edge from the last of these entries that ended before the node began.
void PathRules::behind(NodeId id, PathIndex::Entries entries, PathCause delay)
{
    const PathNode &node = m_graph.node(id);
    const PathIndex::Entries ended = PathIndex::endedBy(entries, node.startNs + m_slackNs);
    if (!ended.empty() && ended.back().node != id)
        m_graph.add(id,
                    {ended.back().node, std::min(ended.back().endNs, node.startNs), delay, PathGraph::Reaches::Start});
}

/// Device work follows the call that submitted it. The exact time of submission within the call is unknown: if the work
/// follows directly after other work of its queue, it was already submitted when that work ended.
void PathRules::addSubmission(NodeId id)
{
    const PathNode &node = m_graph.node(id);
    const PathIndex::Entry *call =
        PathIndex::lastBegun(m_index.ofFrame(PathIndex::PipelineWork, node.frame), node.startNs + m_slackNs);
    if (!call || node.frame == kNoFrame)
        return;
    std::int64_t atNs = std::min(call->endNs, node.startNs);
    const std::optional<std::int64_t> freeNs = laneFreeNs(id);
    if (call->endNs >= node.startNs && freeNs && *freeNs >= call->startNs && *freeNs >= node.startNs - kBackToBackNs)
        atNs = call->startNs;
    const bool gpu = isGpuLane(laneOf(node.lane)->role);
    m_graph.add(id,
                {call->node, std::min(atNs, node.startNs), gpu ? gpuDelay(id, atNs) : PathCause::WakeUp,
                 PathGraph::Reaches::Start});
}

void PathRules::connectSubmitted(NodeId id)
{
    addSubmission(id);
    // If the device itself waits for GL: the last GL use of the memory that is written now.
    const PathNode &node = m_graph.node(id);
    const PathIndex::Entries gl = PathIndex::endedBy(m_index.all(PathIndex::Gl), node.startNs + m_slackNs);
    if (!gl.empty() && gl.back().frame != node.frame && gl.back().endNs + kHeardOfNs >= node.startNs)
        m_graph.add(id,
                    {gl.back().node, std::min(gl.back().endNs, node.startNs), PathCause::LaunchDelay,
                     PathGraph::Reaches::Start});
}

/// Work of the GL queue or CPU stage: follows the pipeline thread's work for its frame and the device's result.
void PathRules::connectPosted(NodeId id, bool behindDevice)
{
    const PathNode &node = m_graph.node(id);
    if (node.frame == kNoFrame)
        return;
    const PathCause delay = isGpuLane(laneOf(node.lane)->role) ? PathCause::LaunchDelay : PathCause::WakeUp;
    addSubmission(id);
    behind(id, m_index.ofFrame(PathIndex::PipelineWaits, node.frame), delay);
    if (behindDevice)
        behind(id, m_index.ofFrame(PathIndex::Device, node.frame), delay);
}

/// A source that pauses between frames lacks a buffer: the last user of a buffer released it.
void PathRules::connectCapture(NodeId id)
{
    const PathNode &node = m_graph.node(id);
    if (const auto freeNs = laneFreeNs(id); freeNs && *freeNs + kHeardOfNs >= node.startNs)
        return;
    const PathIndex::Entry *call = PathIndex::lastBegun(m_index.all(PathIndex::PipelineWork), node.startNs);
    if (call && call->endNs + kLongestSleepNs >= node.startNs)
        m_graph.add(id,
                    {call->node, std::min(call->endNs, node.startNs), PathCause::WakeUp, PathGraph::Reaches::Start});
    wokenBy(id, PathIndex::Device);
    wokenBy(id, PathIndex::CpuStage);
}

/// An idle thread that continues shortly after the end of another lane's work.
void PathRules::wokenBy(NodeId id, PathIndex::Group group)
{
    const PathNode &node = m_graph.node(id);
    const PathIndex::Entries ended = PathIndex::endedBy(m_index.all(group), node.startNs);
    if (!ended.empty() && ended.back().endNs + kLongestSleepNs >= node.startNs)
        behind(id, ended, PathCause::WakeUp);
}

/// The pipeline thread's last work or wait that began before `ns`, or null.
const PathIndex::Entry *PathRules::lastOfPipeline(std::int64_t ns) const
{
    const PathIndex::Entry *last = nullptr;
    for (const PathIndex::Group group : {PathIndex::PipelineWork, PathIndex::PipelineWaits}) {
        const PathIndex::Entry *begun = PathIndex::lastBegun(m_index.all(group), ns);
        last = begun && (!last || begun->startNs > last->startNs) ? begun : last;
    }
    return last;
}

/// A frame is complete when GL has finished it. If completion has no timestamp, the pipeline thread polls for it, and
/// the work of that thread until the poll delayed the frame.
void PathRules::connectCompletion(NodeId id)
{
    PathNode &node = m_graph.node(id);
    const PathIndex::Entry *looked = lastOfPipeline(node.endNs);
    std::int64_t overNs = std::numeric_limits<std::int64_t>::min();
    for (const PathIndex::Group group : {PathIndex::Gl, PathIndex::Device}) {
        const PathIndex::Entry *work = PathIndex::lastBegun(m_index.ofFrame(group, node.frame), node.endNs);
        if (node.frame == kNoFrame || !work)
            continue;
        // Bounded work ends at the time of the poll. The thread's work in the meantime is certain, but the length of
        // the bounded work is not.
        const bool isVague = m_graph.node(work->node).bounded && looked && looked->startNs > work->startNs;
        const std::int64_t atNs = std::min(isVague ? work->startNs : work->endNs, node.endNs);
        if (atNs > overNs)
            node.lane = work->lane;
        overNs = std::max(overNs, atNs);
        m_graph.add(id, {work->node, atNs, PathCause::WakeUp, PathGraph::Reaches::Start});
    }
    const bool stamped =
        node.lane != kNoPathLane && laneOf(node.lane)->emulated; // Stamped by the thread that emulates the device.
    if (stamped || !looked || overNs >= node.endNs - kHeardOfNs)
        return;
    node.lane = looked->lane;
    m_graph.add(id, {looked->node, std::min(looked->endNs, node.endNs), PathCause::WakeUp, PathGraph::Reaches::Start});
}

/// Cause of the time between submission and start: the other context used the GPU, or the launch latency.
PathCause PathRules::gpuDelay(NodeId id, std::int64_t fromNs) const
{
    const PathNode &node = m_graph.node(id);
    const PathLane &lane = *laneOf(node.lane);
    const std::int64_t delayNs = node.startNs - fromNs;
    if (lane.emulated || delayNs <= kBackToBackNs)
        return PathCause::LaunchDelay;
    const PathIndex::Entries others =
        m_index.all(lane.role == LaneRole::DeviceStream ? PathIndex::Gl : PathIndex::Device);
    std::int64_t takenNs = 0;
    std::size_t looked = 0;
    for (auto at = PathIndex::endedBy(others, fromNs).end(); at != others.end() && looked < kMaxReleasers;
         ++at, ++looked)
        if (!laneOf(at->lane)->emulated)
            takenNs += std::max<std::int64_t>(0, std::min(at->endNs, node.startNs) - std::max(at->startNs, fromNs));
    return takenNs * 2 >= delayNs ? PathCause::OtherContext : PathCause::LaunchDelay;
}

/// Adds the possible releases of a wait. With several lanes, the last to end is the release; the others are needed for
/// what-if results.
void PathRules::release(NodeId wait, PathIndex::Entries entries, std::optional<LaneId> only)
{
    const PathNode &node = m_graph.node(wait);
    const PathIndex::Entries ended = PathIndex::endedBy(entries, node.endNs + m_slackNs);
    std::array<LaneId, kMaxReleasingLanes> lanes{};
    std::size_t found = 0;
    std::size_t looked = 0;
    for (auto at = ended.rbegin(); at != ended.rend() && looked < kMaxReleasers && found < lanes.size();
         ++at, ++looked) {
        const bool isNew = std::find(lanes.begin(), lanes.begin() + static_cast<std::ptrdiff_t>(found), at->lane)
            == lanes.begin() + static_cast<std::ptrdiff_t>(found);
        const bool ownLane = at->lane == node.lane;
        if (!isNew || ownLane || (only && at->lane != *only) || at->endNs > node.endNs + laneOf(at->lane)->slackNs)
            continue;
        lanes[found++] = at->lane;
        m_graph.add(wait, {at->node, std::min(at->endNs, node.endNs), PathCause::WakeUp, PathGraph::Reaches::End});
    }
}

void PathRules::connectWait(NodeId id)
{
    if (link(id))
        return;
    const PathNode &node = m_graph.node(id);
    const auto released = [&](PathIndex::Group group) { release(id, m_index.all(group)); };
    const auto releasedBy = [&](PathIndex::Group group, std::uint32_t frame) {
        release(id, frame == kNoFrame ? m_index.all(group) : m_index.ofFrame(group, frame));
    };
    const bool onGl = laneOf(node.lane)->role == LaneRole::GlQueue;
    switch (m_spans[m_pieces[id].span].scope) {
    case WaitScope::Polling:
        released(PathIndex::Capture);
        [[fallthrough]];
    case WaitScope::FrameWork:
        releasedBy(PathIndex::Device, node.frame);
        if (!onGl)
            releasedBy(PathIndex::Gl, node.frame);
        break;
    case WaitScope::Stream: {
        const PathIndex::Entries work = m_index.ofFrame(PathIndex::Device, node.frame);
        release(id, m_index.all(PathIndex::Device), work.empty() ? std::nullopt : std::optional(work.back().lane));
        break;
    }
    case WaitScope::Engine:
        releasedBy(PathIndex::Engine, node.frame);
        break;
    case WaitScope::Device:
        released(PathIndex::Device);
        break;
    case WaitScope::GlWork:
        released(PathIndex::Gl);
        released(PathIndex::View);
        break;
    case WaitScope::Slot:
        for (const PathIndex::Group group : {PathIndex::Device, PathIndex::Gl, PathIndex::CpuStage, PathIndex::View})
            released(group);
        break;
    case WaitScope::Input:
        released(PathIndex::Capture);
        if (!m_index.all(PathIndex::Device).empty())
            released(PathIndex::Device); // A wait for a frame also ends when a host function is called.
        break;
    case WaitScope::Buffer:
        released(PathIndex::Device);
        released(PathIndex::CpuStage);
        released(PathIndex::PipelineWork);
        break;
    case WaitScope::None:
        break;
    }
}

/// Determines the cause of a wait without a release. If everything that it could wait for had ended before, a short
/// wait is the cost of the call, and a long wait for its own frame's work means that the thread was not scheduled.
/// Otherwise the cause stays unknown.
void PathRules::judgeUnreleased(NodeId wait)
{
    PathNode &node = m_graph.node(wait);
    const auto edges = m_graph.edges(wait);
    const bool knowsOne = std::any_of(edges.begin(), edges.end(), [](const PathGraph::Edge &edge) {
        return edge.reaches == PathGraph::Reaches::End;
    });
    const WaitScope scope = m_spans[m_pieces[wait].span].scope;
    const bool ofItsFrame = (scope == WaitScope::FrameWork || scope == WaitScope::Stream) && node.frame != kNoFrame;
    if (knowsOne && node.endNs - node.startNs <= kLongestCallNs)
        node.cause = PathCause::Call;
    else if (knowsOne && ofItsFrame)
        node.cause = PathCause::WakeUp;
    else if (!knowsOne && scope == WaitScope::GlWork && m_index.all(PathIndex::Gl).empty())
        node.cause = PathCause::Call; // The times of GL's work are not seen: that the call waits is all that is known.
}

std::optional<std::uint32_t> PathRules::spanAt(LaneId lane, std::int64_t startNs) const
{
    PathSpan wanted;
    wanted.lane = lane;
    wanted.startNs = startNs;
    const auto found = std::lower_bound(m_spans.begin(), m_spans.end(), wanted, isBefore);
    if (found == m_spans.end() || found->lane != lane || found->startNs != startNs)
        return std::nullopt;
    const auto index = static_cast<std::uint32_t>(found - m_spans.begin());
    return m_firstNode[index] < m_pieces.size() ? std::optional(index) : std::nullopt;
}

/// Recorded dependencies replace the rules.
bool PathRules::link(NodeId id)
{
    if (m_links.empty())
        return false;
    const PathNode &node = m_graph.node(id);
    const PathSpan &span = m_spans[m_pieces[id].span];
    const auto key = std::tie(span.lane, span.startNs);
    auto at = std::partition_point(m_links.begin(), m_links.end(),
                                   [&](const SpanEdge &edge) { return std::tie(edge.toLane, edge.toNs) < key; });
    bool any = false;
    for (; at != m_links.end() && std::tie(at->toLane, at->toNs) == key; ++at) {
        const auto from = spanAt(at->fromLane, at->fromNs);
        if (!from || m_pieces[id].span == *from)
            continue;
        any = true;
        const std::int64_t untilNs = node.waits ? node.endNs : node.startNs;
        const bool launched = !node.waits && m_spans[*from].endNs > node.startNs;
        const NodeId source = launched ? m_firstNode[*from] : m_lastNode[*from];
        const bool gpu = isGpuLane(laneOf(node.lane)->role);
        const std::int64_t atNs = std::min(m_spans[*from].endNs, untilNs);
        m_graph.add(id,
                    {source, atNs, gpu ? gpuDelay(id, atNs) : PathCause::WakeUp,
                     node.waits ? PathGraph::Reaches::End : PathGraph::Reaches::Start});
    }
    return any;
}

void PathRules::walk(std::size_t frame, std::vector<PathPiece> &out) const
{
    m_graph.walk(completion(frame), m_frames[frame].time, m_frames[frame].frame, out);
}

std::int64_t PathRules::mostItCanBring(PathKind kind) const
{
    return m_frames.empty() ? 0 : m_graph.mostItCanBring(kind, completion(m_frames.size() - 1));
}

std::optional<PathSpan> PathRules::releaserOf(LaneId lane, std::int64_t endNs) const
{
    for (NodeId id = m_firstCompletion; id > 0; --id) {
        const PathNode &node = m_graph.node(id - 1);
        if (node.lane != lane || node.endNs != endNs || !node.waits)
            continue;
        const PathGraph::Edge *edge = m_graph.latest(id - 1, PathGraph::Reaches::End, endNs);
        return edge ? std::optional(m_spans[m_pieces[edge->from].span]) : std::nullopt;
    }
    return std::nullopt;
}

/// The pipeline thread's latest work that the start of a node depended on.
std::optional<PathRules::NodeId> PathRules::submitterOf(NodeId id) const
{
    std::optional<NodeId> found;
    for (const PathGraph::Edge &edge : m_graph.edges(id)) {
        const PathNode &from = m_graph.node(edge.from);
        const PathLane *lane = laneOf(from.lane);
        if (edge.reaches != PathGraph::Reaches::Start || !lane || lane->role != LaneRole::Pipeline || from.waits)
            continue;
        if (!found || from.startNs > m_graph.node(*found).startNs)
            found = edge.from;
    }
    return found;
}

std::vector<PathRules::Link> PathRules::links() const
{
    std::vector<Link> links;
    for (NodeId id = 0; id < m_firstCompletion; ++id) {
        const PathNode &node = m_graph.node(id);
        const LaneRole role = laneOf(node.lane)->role;
        std::optional<NodeId> from;
        if (node.waits && m_pieces[id].isLast) {
            const PathGraph::Edge *edge = m_graph.latest(id, PathGraph::Reaches::End, node.endNs);
            from = edge ? std::optional(edge->from) : std::nullopt;
        } else if (!node.waits && m_pieces[id].isFirst && (isGpuLane(role) || role == LaneRole::CpuStage)) {
            from = submitterOf(id);
        }
        if (from && *from < m_firstCompletion && m_graph.node(*from).lane != node.lane)
            links.push_back({m_spans[m_pieces[*from].span], m_spans[m_pieces[id].span]});
    }
    return links;
}

} // namespace jetscope
