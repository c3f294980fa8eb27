// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/lanesegments.h"
#include "core/path/pathgraph.h"
#include "core/path/pathindex.h"
#include "core/trace/spanedge.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// A lane as the rules need it.
struct PathLane {
    LaneRole role = LaneRole::Tool;
    bool emulated = false;    ///< A thread plays the device: it shares no GPU with other lanes.
    std::int64_t slackNs = 0; ///< How far its times may be off.
};
PathLane pathLaneOf(const LaneInfo &info);
/// Of a clock's uncertainty in ns as a counter tells it, which may be anything.
std::int64_t slackOf(double uncertaintyNs);

/// A frame whose path is asked for: from the completion of the one before it to its own.
struct PathFrame {
    std::uint32_t frame = kNoFrame;
    Interval time;
};

/// Says which span could not go on before which: makes a PathGraph of the spans of a stretch of time, by their lanes,
/// categories, frames and names, and by edges that the producer of the trace recorded (rules: README of core). Spans
/// come in any order; wrong ones do no harm. One thread.
class PathRules {
public:
    void setLane(LaneId id, const PathLane &lane);
    /// Forgets all but the lanes.
    void clear();
    void add(const PathSpan &span);
    void add(const SpanEdge &edge) { m_links.push_back(edge); }
    void add(const PathFrame &frame) { m_frames.push_back(frame); }
    /// After the last of them, before everything below.
    void build();

    const PathGraph &graph() const { return m_graph; }
    const std::vector<PathFrame> &frames() const { return m_frames; }
    /// The node with which a frame is complete.
    PathGraph::NodeId completion(std::size_t frame) const
    {
        return m_firstCompletion + static_cast<PathGraph::NodeId>(frame);
    }
    /// Appends the path of the frame at this place.
    void walk(std::size_t frame, std::vector<PathPiece> &out) const;

    /// How much shorter the time from the first frame's start to the last one's completion could be at most without
    /// this kind of piece.
    std::int64_t mostItCanBring(PathKind kind) const;

    /// What released the wait that ends at `endNs` on a lane: the span that let it go on. None where nothing did.
    std::optional<PathSpan> releaserOf(LaneId lane, std::int64_t endNs) const;

    /// One span let another go on, across lanes.
    struct Link {
        PathSpan from;
        PathSpan to;
    };
    /// Who let each wait go on, and who submitted each piece of work of device, GL queue and CPU stage.
    std::vector<Link> links() const;

private:
    using NodeId = PathGraph::NodeId;
    struct Piece { ///< Beside each node.
        std::uint32_t span = 0;
        bool isFirst = false; ///< Of its span; the others go on where a nested one ended.
        bool isLast = false;
    };

    const PathLane *laneOf(LaneId id) const;
    void makeNodes();
    void makeNodesOfLane(std::uint32_t first, std::uint32_t last);
    void enter(NodeId id, const PathSpan &span);
    void connectLane(NodeId id);
    void connectStart(NodeId id);
    void connectWait(NodeId id);
    void connectSubmitted(NodeId id);
    void connectPosted(NodeId id, bool behindDevice);
    void connectCapture(NodeId id);
    void wokenBy(NodeId id, PathIndex::Group group);
    const PathIndex::Entry *lastOfPipeline(std::int64_t ns) const;
    void connectCompletion(NodeId id);
    void addSubmission(NodeId id);
    bool link(NodeId id);
    std::optional<std::uint32_t> spanAt(LaneId lane, std::int64_t startNs) const;
    void release(NodeId wait, PathIndex::Entries entries, std::optional<LaneId> only = {});
    void behind(NodeId id, PathIndex::Entries entries, PathCause delay);
    void judgeUnreleased(NodeId wait);
    PathCause gpuDelay(NodeId id, std::int64_t fromNs) const;
    std::optional<std::int64_t> laneFreeNs(NodeId id) const;
    std::optional<NodeId> submitterOf(NodeId id) const;

    std::vector<std::optional<PathLane>> m_lanes;
    std::int64_t m_slackNs = 0; ///< The greatest.
    std::vector<PathSpan> m_spans;
    std::vector<SpanEdge> m_links;
    std::vector<PathFrame> m_frames;
    std::vector<NodeId> m_firstNode; ///< Of each span; the number of nodes where it has none.
    std::vector<NodeId> m_lastNode;
    std::vector<Piece> m_pieces;
    NodeId m_firstCompletion = 0;
    PathIndex m_index;
    PathGraph m_graph;
};

} // namespace jetscope
