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

/// The properties of a lane that the rules need.
struct PathLane {
    LaneRole role = LaneRole::Tool;
    bool emulated = false;    ///< LaneInfo::emulated.
    std::int64_t slackNs = 0; ///< Timing uncertainty of the lane.
};
PathLane pathLaneOf(const LaneInfo &info);
/// Converts a counter's uncertainty in ns, which may be any number.
std::int64_t slackOf(double uncertaintyNs);

/// A frame whose path is requested: from the completion of the previous frame to its own.
struct PathFrame {
    std::uint32_t frame = kNoFrame;
    Interval time;
};

/// Determines the dependencies between spans: builds a PathGraph from the spans of a time range, based on their lanes,
/// categories, frames and purposes and on the edges that the producer of the trace recorded (rules:
/// resources/docs/path.md). Spans may be in any order; invalid spans are harmless. Not thread-safe.
class PathRules {
public:
    void setLane(LaneId id, const PathLane &lane);
    /// Removes everything but the lanes.
    void clear();
    void add(const PathSpan &span);
    void add(const SpanEdge &edge) { m_links.push_back(edge); }
    void add(const PathFrame &frame) { m_frames.push_back(frame); }
    /// Call after adding all spans, edges and frames, before the functions below.
    void build();

    const PathGraph &graph() const { return m_graph; }
    const std::vector<PathFrame> &frames() const { return m_frames; }
    /// The node that completes the frame.
    PathGraph::NodeId completion(std::size_t frame) const
    {
        return m_firstCompletion + static_cast<PathGraph::NodeId>(frame);
    }
    /// Appends the path of the frame with this index.
    void walk(std::size_t frame, std::vector<PathPiece> &out) const;

    /// Upper bound of how much shorter the time from the first frame's start to the last frame's completion would be
    /// without this kind of piece.
    std::int64_t mostItCanBring(PathKind kind) const;

    /// The span that released the wait that ends at `endNs` on a lane; empty if no span did.
    std::optional<PathSpan> releaserOf(LaneId lane, std::int64_t endNs) const;

    /// One span released another on a different lane.
    struct Link {
        PathSpan from;
        PathSpan to;
    };
    /// The span that released each wait, and the span that submitted each item of work of the device, GL queue and CPU
    /// stage.
    std::vector<Link> links() const;

private:
    using NodeId = PathGraph::NodeId;
    struct Piece { ///< One element per node.
        std::uint32_t span = 0;
        bool isFirst = false; ///< First piece of its span; further pieces continue after a nested span.
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
    std::int64_t m_slackNs = 0; ///< The largest of all lanes.
    std::vector<PathSpan> m_spans;
    std::vector<SpanEdge> m_links;
    std::vector<PathFrame> m_frames;
    std::vector<NodeId> m_firstNode; ///< Per span; the number of nodes if the span has no node.
    std::vector<NodeId> m_lastNode;
    std::vector<Piece> m_pieces;
    NodeId m_firstCompletion = 0;
    PathIndex m_index;
    PathGraph m_graph;
};

} // namespace jetscope
