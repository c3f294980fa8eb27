// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/watch/watchcostmeter.h"

#include "core/figures/averages.h"
#include "core/measure/method/comparison.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kTurnNs = 500 * kMs;
/// For pipelines so slow that half a second has too few frames.
constexpr std::int64_t kLongestTurnNs = 2000 * kMs;
constexpr std::size_t kFewestFrames = 12;
/// At the beginning of a turn: frames in flight, and the threads of the other turn coming to rest.
constexpr std::int64_t kSettleNs = 100 * kMs;
/// Behind the last turn: figures of its last frames come.
constexpr std::int64_t kRestNs = 300 * kMs;
constexpr std::int64_t kLongestCatchUpNs = 3000 * kMs;
constexpr std::int64_t kFirstPauseNs = 2000 * kMs;
constexpr std::int64_t kPauseNs = 18'000 * kMs;
constexpr std::size_t kFewestRounds = 5;
constexpr std::size_t kRoundsKept = 30; ///< Of ten minutes.

} // namespace

bool WatchCostMeter::keepsBackIn(Stage stage) const
{
    return (stage == Stage::First && m_keepsBackFirst) || (stage == Stage::Second && !m_keepsBackFirst);
}

bool WatchCostMeter::keepsBack(const Situation &situation)
{
    const std::int64_t now = situation.nowNs;
    if (m_stageNs == 0)
        m_stageNs = now;
    if (!situation.isWatched) {
        enter(Stage::Pause, now);
        return false;
    }
    switch (m_stage) {
    case Stage::Pause:
        if (now - m_stageNs >= pauseNs() && situation.isCaughtUp)
            enter(Stage::First, now);
        break;
    case Stage::First:
        if (isTurnOver(now))
            enter(Stage::CatchUp, now);
        break;
    case Stage::CatchUp:
        if (situation.isCaughtUp)
            enter(Stage::Second, now);
        else if (now - m_stageNs > kLongestCatchUpNs)
            enter(Stage::Pause, now);
        break;
    case Stage::Second:
        if (isTurnOver(now))
            enter(Stage::Rest, now);
        break;
    case Stage::Rest:
        if (now - m_stageNs >= kRestNs) {
            endRound();
            enter(Stage::Pause, now);
        }
        break;
    }
    return keepsBackIn(m_stage);
}

void WatchCostMeter::enter(Stage stage, std::int64_t nowNs)
{
    m_stage = stage;
    m_stageNs = nowNs;
    if (!isTurn(stage))
        return;
    if (stage == Stage::First)
        m_turns = {};
    turn().fromNs = nowNs + kSettleNs;
    turn().toNs = INT64_MAX;
}

bool WatchCostMeter::isTurnOver(std::int64_t nowNs)
{
    const std::int64_t took = nowNs - m_stageNs;
    if (took < kTurnNs || (turn().frameMs.size() < kFewestFrames && took < kLongestTurnNs))
        return false;
    turn().toNs = nowNs;
    return true;
}

/// A frame belongs to the turn in which all of it was.
void WatchCostMeter::add(std::span<const FrameFigures> frames)
{
    for (const FrameFigures &frame : frames)
        for (Turn &turn : m_turns)
            if (frame.frameNs > 0 && turn.fromNs > 0 && frame.startNs >= turn.fromNs
                && frame.startNs + frame.frameNs <= turn.toNs)
                turn.frameMs.push_back(static_cast<double>(frame.frameNs) / 1e6);
}

void WatchCostMeter::endRound()
{
    m_keepsBackFirst = !m_keepsBackFirst;
    if (std::any_of(m_turns.begin(), m_turns.end(),
                    [](const Turn &turn) { return turn.frameMs.size() < kFewestFrames / 2; }))
        return;
    m_watchedMs.push_back(medianOf(m_turns[0].frameMs));
    m_aloneMs.push_back(medianOf(m_turns[1].frameMs));
    for (std::vector<double> *figures : {&m_watchedMs, &m_aloneMs})
        if (figures->size() > kRoundsKept)
            figures->erase(figures->begin());
    if (m_watchedMs.size() < kFewestRounds)
        return;
    ComparisonMethod method;
    method.error = 0.05;
    const Estimate ratio = comparePaired(m_aloneMs, m_watchedMs, method).ratio;
    if (std::isfinite(ratio.value) && std::isfinite(ratio.halfWidth()))
        m_cost = Cost{ratio.value, ratio.halfWidth(), m_watchedMs.size()};
}

std::int64_t WatchCostMeter::pauseNs() const
{
    return m_cost ? kPauseNs : kFirstPauseNs;
}

void WatchCostMeter::interrupt()
{
    if (m_stage != Stage::Pause)
        enter(Stage::Pause, m_stageNs);
}

void WatchCostMeter::restart()
{
    const std::int64_t stageNs = m_stageNs;
    *this = {};
    m_stageNs = stageNs;
}

} // namespace jetscope
