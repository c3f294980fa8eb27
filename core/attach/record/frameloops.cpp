// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/frameloops.h"

#include "core/attach/judge/finding.h"
#include "core/figures/statistics.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

constexpr std::uint32_t kWarmUp = StatisticsMethod().warmUp;
static_assert(kWarmUp == kFramesOfSetUp, "figures and findings are of the same frames");
constexpr std::size_t kMaxLoops = 64; ///< Further ones count with the last.
constexpr double kLate = 0.25;        ///< The less, the more it counts that a loop comes later.
constexpr double kLongestRound = 4;   ///< Periods; a longer round is mostly something else, which says nothing of it.

} // namespace

void FrameLoops::begin(const std::optional<FrameGuess> &guess, std::uint32_t frame, std::vector<FrameGuess> ranking)
{
    const auto known = std::find_if(m_loops.begin(), m_loops.end(), [&](const Loop &loop) {
        return loop.guess.has_value() == guess.has_value() && (!guess || loop.guess->isSameLoop(*guess));
    });
    m_current = static_cast<std::size_t>(known - m_loops.begin());
    if (known == m_loops.end()) {
        m_current = std::min(m_loops.size(), kMaxLoops - 1);
        if (m_current == m_loops.size()) {
            m_loops.emplace_back().guess = guess;
            m_loops.back().firstFrame = frame;
        }
    }
    if (m_loops[m_current].ranking.empty())
        m_loops[m_current].ranking = std::move(ranking);
    if (m_from.empty() || m_from.back().second != m_current)
        m_from.emplace_back(frame, m_current);
}

void FrameLoops::addFrame(const Interval &period)
{
    Loop &loop = m_loops[m_current];
    const std::int64_t ns = period.endNs - period.startNs;
    ++loop.frames;
    ++m_allFrames;
    m_allPeriodsNs += ns;
    loop.roundsNs += std::min(static_cast<double>(ns),
                              loop.guess ? loop.guess->periodMs * 1e6 * kLongestRound : static_cast<double>(ns));
    loop.time = loop.time ? Interval{loop.time->startNs, period.endNs} : period;
}

FrameLoops::Loop &FrameLoops::loopOf(std::uint32_t frame)
{
    const auto after = std::upper_bound(m_from.begin(), m_from.end(), frame,
                                        [](std::uint32_t number, const auto &from) { return number < from.first; });
    return m_loops[after == m_from.begin() ? 0 : std::prev(after)->second];
}

void FrameLoops::add(const FrameFigures &figures)
{
    loopOf(figures.frame).figures.push_back(figures);
}

void FrameLoops::add(const PathPiece &piece, std::uint32_t weight)
{
    Loop &loop = loopOf(piece.frame);
    (piece.frame < loop.firstFrame + kWarmUp ? loop.warmUpPath : loop.path).add(piece, weight);
}

void FrameLoops::add(const PathGain &gain, std::uint32_t weight)
{
    Loop &loop = loopOf(gain.firstFrame);
    (gain.firstFrame < loop.firstFrame + kWarmUp ? loop.warmUpPath : loop.path).add(gain, weight);
}

std::span<const FrameFigures> FrameLoops::counted() const
{
    const std::span<const FrameFigures> all = main().figures;
    return all.size() > kWarmUp ? all.subspan(kWarmUp) : all;
}

double FrameLoops::meanPeriodMs() const
{
    double ns = 0;
    for (const FrameFigures &frame : counted())
        ns += static_cast<double>(frame.periodNs());
    return counted().empty() ? 0 : ns / static_cast<double>(counted().size()) / 1e6;
}

double FrameLoops::warmUpSeconds() const
{
    const std::vector<FrameFigures> &all = main().figures;
    return all.size() > kWarmUp ? static_cast<double>(all[kWarmUp].startNs - all.front().startNs) / 1e9 : 0;
}

const FrameLoops::Loop &FrameLoops::main() const
{
    // What comes later counts for more: a program first tries out what is fastest.
    std::int64_t firstNs = INT64_MAX;
    std::int64_t lastNs = INT64_MIN;
    for (const Loop &loop : m_loops)
        if (loop.time) {
            firstNs = std::min(firstNs, loop.time->startNs);
            lastNs = std::max(lastNs, loop.time->endNs);
        }
    const auto weight = [&](const Loop &loop) {
        if (!loop.time)
            return 0.0;
        const double ofTime = static_cast<double>(loop.time->endNs - firstNs)
            / static_cast<double>(std::max<std::int64_t>(lastNs - firstNs, 1));
        return loop.roundsNs * (kLate + ofTime);
    };
    return *std::max_element(m_loops.begin(), m_loops.end(),
                             [&](const Loop &a, const Loop &b) { return weight(a) < weight(b); });
}

} // namespace jetscope
