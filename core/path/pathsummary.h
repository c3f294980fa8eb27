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

/// Above this share of the path, what nothing explains is said.
inline constexpr double kUnexplainedSaid = 0.05;

/// One kind of piece over many frames.
struct PathShare {
    std::string what; ///< In words: "kernel gaussian15".
    std::string lane; ///< Where; empty where it belongs to no lane, or to several.
    PathCause cause = PathCause::Unknown;
    std::string name; ///< Of the spans; empty for causes that have none.
    LaneRole role = LaneRole::Tool;
    bool bounded = false;
    double ms = 0;    ///< A frame.
    double share = 0; ///< Of the path, 0..1.
    /// Of the path: the most that removing this kind of piece can bring (PathGraph::mostItCanBring); none where nobody
    /// worked it out.
    std::optional<double> mostShare;

    /// The device or GL was at work for as long as that, and not only somewhere within.
    bool isCertainDeviceWork() const { return isDeviceWork(cause) && isGpuLane(role) && !bounded; }
};

/// Where the period goes: the critical paths of many frames together.
struct PathSummary {
    std::size_t frames = 0;
    double periodMs = 0; ///< From completion to completion: what the shares are of.
    /// Largest first. Everything unexplained is one of them, with the cause Unknown.
    std::vector<PathShare> shares;

    bool empty() const { return shares.empty(); }
    double shareOf(PathCause cause) const;
    /// Of the device's and GL's own work, as far as it is certain.
    double deviceShare() const;
    double unexplained() const { return shareOf(PathCause::Unknown); }
};

/// How much a stretch of frames could have gained at most without one kind of piece.
struct PathGain {
    std::uint32_t firstFrame = 0;
    std::uint32_t lastFrame = 0;
    PathKind kind;
    std::int64_t savedNs = 0;
    std::int64_t ofNs = 0; ///< What the stretch took.
};

/// Adds paths up. The sums are exact; names are put into words at the end.
class PathSums {
public:
    void add(const PathPiece &piece);
    /// Pieces of whole frames.
    void add(std::span<const PathPiece> pieces);
    void add(const PathGain &gain);
    /// Of other frames.
    void add(const PathSums &sums);
    void clear() { *this = {}; }

    std::size_t frames() const { return m_frames; }
    std::int64_t totalNs() const { return m_totalNs; }

    using NameOf = std::function<std::string(std::uint32_t name)>;
    using LaneOf = std::function<const LaneInfo *(LaneId lane)>; ///< Null for no such lane.
    PathSummary summary(const NameOf &nameOf, const LaneOf &laneOf) const;

private:
    struct Sum {
        PathPiece like;
        std::int64_t ns = 0;
    };
    std::optional<double> mostShareOf(const PathPiece &piece) const;

    std::unordered_map<std::uint64_t, Sum> m_sums;
    std::unordered_map<std::uint64_t, std::int64_t> m_savedNs; ///< By kind.
    std::int64_t m_gainsOfNs = 0;                              ///< The stretches that were asked about.
    std::uint32_t m_lastStretch = kNoFrame;
    std::size_t m_frames = 0;
    std::uint32_t m_lastFrame = kNoFrame;
    std::int64_t m_totalNs = 0;
};

/// The kinds of piece that make up at least `leastShare` of the pieces' time, each once.
std::vector<PathKind> kindsIn(std::span<const PathPiece> pieces, double leastShare);

} // namespace jetscope
