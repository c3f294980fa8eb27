// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/pathsummary.h"

#include <algorithm>

namespace jetscope {

namespace {

std::uint32_t nameWithin(const PathPiece &piece)
{
    return isNamed(piece.cause) ? piece.name : kNoPathName;
}

std::uint64_t kindKey(PathCause cause, std::uint32_t name)
{
    return (static_cast<std::uint64_t>(cause) << 32) | name;
}

bool isFirst(const PathShare &a, const PathShare &b)
{
    return a.ms != b.ms ? a.ms > b.ms : a.what < b.what;
}

} // namespace

double PathSummary::shareOf(PathCause cause) const
{
    double sum = 0;
    for (const PathShare &share : shares)
        sum += share.cause == cause ? share.share : 0;
    return sum;
}

double PathSummary::deviceShare() const
{
    double sum = 0;
    for (const PathShare &share : shares)
        sum += share.isCertainDeviceWork() ? share.share : 0;
    return sum;
}

void PathSums::add(const PathPiece &piece, std::uint32_t weight)
{
    const std::uint32_t name = nameWithin(piece);
    // All unexplained time is one kind, regardless of its lane.
    const LaneId lane = piece.cause == PathCause::Unknown ? kNoPathLane : piece.lane;
    const std::uint64_t key =
        kindKey(piece.cause, name) | (std::uint64_t{lane} << 48) | (static_cast<std::uint64_t>(piece.bounded) << 40);
    Sum &sum = m_sums[key];
    sum.like = piece;
    sum.like.lane = lane;
    sum.like.name = name;
    sum.ns += piece.lengthNs() * weight;
    m_totalNs += piece.lengthNs() * weight;
    if (piece.frame != m_lastFrame) {
        m_lastFrame = piece.frame;
        ++m_frames;
        m_weights += weight;
    }
}

void PathSums::add(std::span<const PathPiece> pieces)
{
    for (const PathPiece &piece : pieces)
        add(piece);
}

void PathSums::add(const PathGain &gain, std::uint32_t weight)
{
    m_savedNs[kindKey(gain.kind.cause, gain.kind.name)] += gain.savedNs * weight;
    if (gain.firstFrame == m_lastStretch)
        return;
    m_lastStretch = gain.firstFrame;
    m_gainsOfNs += gain.ofNs * weight;
}

void PathSums::add(const PathSums &sums)
{
    for (const auto &[key, sum] : sums.m_sums) {
        m_sums[key].like = sum.like;
        m_sums[key].ns += sum.ns;
    }
    for (const auto &[key, ns] : sums.m_savedNs)
        m_savedNs[key] += ns;
    m_gainsOfNs += sums.m_gainsOfNs;
    m_frames += sums.m_frames;
    m_weights += sums.m_weights;
    m_totalNs += sums.m_totalNs;
}

std::optional<double> PathSums::mostShareOf(const PathPiece &piece) const
{
    const auto found = m_savedNs.find(kindKey(piece.cause, piece.name));
    if (found == m_savedNs.end() || m_gainsOfNs <= 0)
        return std::nullopt;
    return std::clamp(static_cast<double>(found->second) / static_cast<double>(m_gainsOfNs), 0.0, 1.0);
}

PathSummary PathSums::summary(const NameOf &nameOf, const LaneOf &laneOf) const
{
    PathSummary summary;
    summary.frames = m_frames;
    if (m_frames == 0 || m_totalNs <= 0)
        return summary;
    const auto frames = static_cast<double>(m_weights);
    summary.periodMs = static_cast<double>(m_totalNs) / 1e6 / frames;
    for (const auto &[key, sum] : m_sums) {
        const LaneInfo *lane = sum.like.lane == kNoPathLane ? nullptr : laneOf(sum.like.lane);
        PathShare share;
        share.cause = sum.like.cause;
        const SpanName name = sum.like.name == kNoPathName ? SpanName() : nameOf(sum.like.name);
        share.name = name.text;
        share.purpose = name.purpose;
        share.bounded = sum.like.bounded;
        share.what = pathWords(share.cause, share.name, share.bounded);
        share.lane = lane ? lane->name : std::string();
        share.role = lane ? lane->role : LaneRole::Tool;
        share.ms = static_cast<double>(sum.ns) / 1e6 / frames;
        share.share = static_cast<double>(sum.ns) / static_cast<double>(m_totalNs);
        share.mostShare = mostShareOf(sum.like);
        summary.shares.push_back(std::move(share));
    }
    std::sort(summary.shares.begin(), summary.shares.end(), isFirst);
    return summary;
}

std::vector<PathKind> kindsIn(std::span<const PathPiece> pieces, double leastShare)
{
    std::unordered_map<std::uint64_t, std::pair<PathKind, std::int64_t>> sums;
    std::int64_t totalNs = 0;
    for (const PathPiece &piece : pieces) {
        const PathKind kind{piece.cause, nameWithin(piece)};
        auto &sum = sums[kindKey(kind.cause, kind.name)];
        sum.first = kind;
        sum.second += piece.lengthNs();
        totalNs += piece.lengthNs();
    }
    std::vector<PathKind> kinds;
    for (const auto &[key, sum] : sums)
        if (static_cast<double>(sum.second) >= leastShare * static_cast<double>(totalNs))
            kinds.push_back(sum.first);
    return kinds;
}

} // namespace jetscope
