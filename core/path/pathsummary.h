// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathgraph.h"
#include "core/path/pathpiece.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// Unexplained time is reported if it exceeds this share of the path.
inline constexpr double kUnexplainedSaid = 0.05;

/// The total of one kind of piece over many frames.
struct PathShare {
    std::string what; ///< Display text: "kernel gaussian15".
    std::string lane; ///< Empty if it belongs to no lane or to several.
    PathCause cause = PathCause::Unknown;
    std::string name;                ///< Name of the spans; empty for causes without names.
    Purpose purpose = Purpose::Work; ///< Of the spans with this name.
    LaneRole role = LaneRole::Tool;
    bool bounded = false;
    double ms = 0;    ///< Per frame.
    double share = 0; ///< Share of the path, 0..1.
    /// Upper bound of what removing this kind of piece saves, as a share of the path (PathGraph::mostItCanBring); empty
    /// if not computed.
    std::optional<double> mostShare;

    /// Whether the device or GL was busy for all of this time, not only somewhere within bounds.
    bool isCertainDeviceWork() const { return isDeviceWork(cause) && isGpuLane(role) && !bounded; }
};

/// Composition of the period: the critical paths of many frames together.
struct PathSummary {
    std::size_t frames = 0;
    double periodMs = 0; ///< From completion to completion; the base of the shares.
    /// Largest first. All unexplained time is one share, with the cause Unknown.
    std::vector<PathShare> shares;

    bool empty() const { return shares.empty(); }
    double shareOf(PathCause cause) const;
    /// Share of the device's and GL's own work, without bounded work.
    double deviceShare() const;
    double unexplained() const { return shareOf(PathCause::Unknown); }
};

/// Upper bound of how much sooner a group of consecutive frames could have been complete without one kind of piece.
struct PathGain {
    std::uint32_t firstFrame = 0;
    std::uint32_t lastFrame = 0;
    PathKind kind;
    std::int64_t savedNs = 0;
    std::int64_t ofNs = 0; ///< Duration of the group of frames.
};

/// Adds up paths. The sums are exact; names are converted to text at the end.
class PathSums {
public:
    /// `weight`: its frame stands for so many.
    void add(const PathPiece &piece, std::uint32_t weight = 1);
    /// Adds the pieces of whole frames.
    void add(std::span<const PathPiece> pieces);
    void add(const PathGain &gain, std::uint32_t weight = 1);
    /// Adds the sums of other frames.
    void add(const PathSums &sums);
    void clear() { *this = {}; }

    std::size_t frames() const { return m_frames; }
    std::int64_t totalNs() const { return m_totalNs; }

    using NameOf = std::function<SpanName(std::uint32_t name)>;
    using LaneOf = std::function<const LaneInfo *(LaneId lane)>; ///< Null for an unknown lane.
    PathSummary summary(const NameOf &nameOf, const LaneOf &laneOf) const;

private:
    struct Sum {
        PathPiece like;
        std::int64_t ns = 0;
    };
    std::optional<double> mostShareOf(const PathPiece &piece) const;

    std::unordered_map<std::uint64_t, Sum> m_sums;
    std::unordered_map<std::uint64_t, std::int64_t> m_savedNs; ///< By kind.
    std::int64_t m_gainsOfNs = 0;                              ///< Total duration of the groups of frames with gains.
    std::uint32_t m_lastStretch = kNoFrame;
    std::size_t m_frames = 0;
    std::uint64_t m_weights = 0; ///< Of the frames.
    std::uint32_t m_lastFrame = kNoFrame;
    std::int64_t m_totalNs = 0;
};

/// The kinds of piece that make up at least `leastShare` of the total time of the pieces, each once.
std::vector<PathKind> kindsIn(std::span<const PathPiece> pieces, double leastShare);

} // namespace jetscope
