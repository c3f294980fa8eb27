// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/tracecost.h"

#include "core/figures/averages.h"
#include "core/figures/framemetricsbuilder.h"
#include "core/figures/statistics.h"
#include "core/settings/pipelineconfig.h"
#include "core/text/numbertext.h"

#include <cmath>

namespace jetscope {

namespace {

/// Frames per stretch: this many are traced, then as many are not. The first frames of each are still affected by
/// earlier frames in flight.
constexpr std::uint32_t kStretch = 12;
constexpr std::uint32_t kSettling = kMaxFramesInFlight;
/// Frequent until there is a first result, then rare, because untraced frames cannot be inspected.
constexpr std::uint32_t kOftenEvery = 64;
constexpr std::uint32_t kOftenUntil = 1024;
constexpr std::uint32_t kRarelyEvery = 1024;

constexpr std::size_t kMinTurns = 4;
constexpr std::size_t kTurnsKept = 64;

std::uint32_t cycleOf(std::uint32_t frame)
{
    return frame < kOftenUntil ? kOftenEvery : kRarelyEvery;
}

/// Position within the cycle; the untraced stretch is at its end.
std::uint32_t placeOf(std::uint32_t frame)
{
    return frame % cycleOf(frame);
}

std::uint32_t untracedPlace(std::uint32_t frame)
{
    return cycleOf(frame) - kStretch;
}

} // namespace

bool TraceCostMeter::traces(std::uint32_t frame)
{
    return placeOf(frame) < untracedPlace(frame);
}

bool TraceCostMeter::isWhole(std::uint32_t frame)
{
    const std::uint32_t before = frame < kSettling ? 0 : frame - kSettling;
    return traces(frame) && traces(before) && traces(frame + kSettling);
}

std::uint32_t TraceCostMeter::untracedFrom(std::uint32_t frame)
{
    return placeOf(frame) == untracedPlace(frame) ? kStretch : 0;
}

void TraceCostMeter::add(const FrameFigures &figures)
{
    const std::uint32_t place = placeOf(figures.frame);
    const std::uint32_t untraced = untracedPlace(figures.frame);
    if (place + kStretch < untraced)
        return;
    if (place + kStretch == untraced) {
        m_traced.clear();
        m_untraced.clear();
    }
    const double ms = static_cast<double>(figures.frameNs) / 1e6;
    if (place >= untraced + kSettling && ms > 0)
        m_untraced.push_back(ms);
    else if (place < untraced && place + kStretch >= untraced + kSettling && ms > 0)
        m_traced.push_back(ms);
    if (place + 1 == cycleOf(figures.frame))
        endTurn();
}

void TraceCostMeter::endTurn()
{
    constexpr std::size_t kMinFrames = (kStretch - kSettling) / 2;
    if (m_traced.size() < kMinFrames || m_untraced.size() < kMinFrames)
        return; // Frames were dropped, or the configuration changed.
    m_ratios.push_back(medianOf(m_traced) / medianOf(m_untraced));
    if (m_ratios.size() > kTurnsKept)
        m_ratios.erase(m_ratios.begin());
    if (m_ratios.size() < kMinTurns)
        return;
    StatisticsMethod each;
    each.warmUp = 0;
    each.batch = 1;
    if (const std::optional<Summary> summary = summarise(m_ratios, each))
        m_cost = TraceCost{summary->central, summary->noise, m_ratios.size()};
}

void TraceCostMeter::restart()
{
    *this = TraceCostMeter();
}

std::string traceCostFigure(const TraceCost &cost)
{
    const double percent = (cost.frameRatio - 1) * 100;
    const double noise = cost.noise * 100;
    return (std::abs(percent) <= noise ? "within" : signedText(percent, 1)) + " ±" + fixedText(noise, 1) + " %";
}

std::string traceCostSentence(const std::optional<TraceCost> &cost)
{
    if (!cost)
        return "the overhead of tracing is not known yet: it takes " + std::to_string(kMinTurns * kOftenEvery)
            + " frames";
    const double percent = (cost->frameRatio - 1) * 100;
    const double noise = cost->noise * 100;
    if (std::abs(percent) <= noise) // The sum avoids "-0.0".
        return "tracing makes no difference to frames beyond the noise ("
            + signedText(std::round(percent * 10) / 10 + 0.0, 1) + " % ± " + fixedText(noise, 1) + " %)";
    return "tracing makes frames " + fixedText(std::abs(percent), 1) + " % " + (percent < 0 ? "shorter" : "longer")
        + " (± " + fixedText(noise, 1) + " %)";
}

} // namespace jetscope
