// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/advice/trial.h"

#include "core/figures/averages.h"

#include "core/figures/statistics.h"
#include "core/measure/method/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace jetscope {

namespace {

// After a switch, buffers are new and no frames are in flight. Slow pipelines skip most of the warm-up: the cost of new
// memory is small compared with their frames.
constexpr std::size_t kWarmUp = StatisticsMethod().warmUp;
constexpr std::size_t kFewestWarmUp = kMaxFramesInFlight;
constexpr std::int64_t kWarmUpNs = 200'000'000;
// A stretch is long enough for one batch, and short enough that disturbances by other programs affect both sides.
constexpr std::size_t kStretch = StatisticsMethod().batch;
constexpr std::int64_t kStretchNs = 100'000'000;
constexpr std::size_t kFewestStretch = 3;
constexpr std::int64_t kSlowStretchNs = 400'000'000;

constexpr std::size_t kFewestTurns = ComparisonMethod().fewest;
constexpr std::size_t kTurnsForClear = 6;
constexpr std::size_t kMostTurns = 14;
/// Multiple of the noise at which the result is clear before the time limit.
constexpr double kClear = 1.3;
/// A smaller difference is not worth a change, even if it is certain.
constexpr double kLeastDifference = ComparisonMethod().least;

std::string percentOf(double share)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), share < 0.0995 ? "%.1f" : "%.0f", share * 100);
    return text.data();
}

} // namespace

std::string_view verdictName(TrialVerdict verdict)
{
    switch (verdict) {
    case TrialVerdict::Faster:
        return "faster";
    case TrialVerdict::Slower:
        return "slower";
    case TrialVerdict::Same:
        return "no difference";
    case TrialVerdict::Refused:
        return "refused";
    case TrialVerdict::Unfinished:
        break;
    }
    return "unfinished";
}

std::string outcomeWords(const TrialOutcome &outcome)
{
    switch (outcome.verdict) {
    case TrialVerdict::Faster:
        return "faster by " + percentOf(1 - outcome.ratio) + " % (±" + percentOf(outcome.noise) + ")";
    case TrialVerdict::Slower:
        return "slower by " + percentOf(outcome.ratio - 1) + " % (±" + percentOf(outcome.noise) + ")";
    case TrialVerdict::Same:
        return "no difference beyond ±" + percentOf(std::max(outcome.noise, kLeastDifference)) + " %";
    case TrialVerdict::Refused:
        return "not possible: " + outcome.reason;
    case TrialVerdict::Unfinished:
        break;
    }
    return "not finished: " + outcome.reason;
}

const Candidate *adviceOf(std::span<const TriedCandidate> list)
{
    for (const TriedCandidate &entry : list)
        if (!entry.tried && !entry.candidate.replaced)
            return &entry.candidate;
    return nullptr;
}

Trial::Trial(PipelineConfig now, const Candidate &candidate, const TrialLimits &limits, std::uint32_t firstFrame)
    : m_configs{now, withCandidate(now, candidate)},
      m_metric(candidate.metric),
      m_limits(limits),
      m_firstFrame(firstFrame)
{
}

double Trial::progress() const
{
    if (m_over)
        return 1;
    const double time = m_beginNs ? static_cast<double>(m_nowNs - *m_beginNs) / static_cast<double>(m_limits.ns) : 0;
    const double frames = static_cast<double>(m_frames) / static_cast<double>(m_limits.frames);
    const double turns = static_cast<double>(m_batches[A].size() + m_batches[B].size()) / (2.0 * kMostTurns);
    return std::clamp(std::max({time, frames, turns}), 0.0, 1.0);
}

// --- events

void Trial::switched(std::uint32_t frame, std::string_view change)
{
    if (m_over)
        return;
    const Side from = m_side == A ? B : A;
    if (m_inForce || change != describeChange(m_configs[from], m_configs[m_side])) {
        stop("another choice was made in between", false);
        return;
    }
    m_inForce = true;
    m_firstFrame = frame;
}

void Trial::refused(std::string_view why)
{
    if (m_over || m_inForce)
        return;
    const std::string change = describeChange(m_configs[m_side == A ? B : A], m_configs[m_side]) + ": ";
    if (!why.starts_with(change))
        return; // A change that was not requested by this trial.
    why.remove_prefix(change.size());
    if (m_side == A) {
        stop("the pipeline did not go back: " + std::string(why));
        return;
    }
    m_outcome.verdict = TrialVerdict::Refused;
    m_outcome.reason = why;
    m_over = true;
}

void Trial::add(std::span<const FrameFigures> figures)
{
    for (const FrameFigures &frame : figures)
        if (!m_over)
            addFrame(frame);
}

void Trial::addFrame(const FrameFigures &figures)
{
    ++m_frames;
    if (!m_inForce || figures.frame < m_firstFrame)
        return;
    if (!m_stretchNs)
        m_stretchNs = figures.startNs;
    if (!isWarm(figures)) {
        ++m_left;
        return;
    }
    const std::int64_t ns = m_metric == AdviceMetric::Period ? figures.periodNs() : figures.frameNs;
    if (ns <= 0)
        return; // The frame's completion is unknown.
    if (!m_countedNs)
        m_countedNs = figures.startNs;
    m_stretch.push_back(static_cast<double>(ns) / 1e6);
    if (isLong(figures))
        endStretch();
}

bool Trial::isWarm(const FrameFigures &figures) const
{
    return m_left >= kWarmUp || (m_left >= kFewestWarmUp && figures.startNs - *m_stretchNs >= kWarmUpNs);
}

bool Trial::isLong(const FrameFigures &figures) const
{
    const std::int64_t ns = figures.startNs + figures.periodNs() - *m_countedNs;
    return (m_stretch.size() >= kStretch && ns >= kStretchNs)
        || (m_stretch.size() >= kFewestStretch && ns >= kSlowStretchNs);
}

void Trial::endStretch()
{
    // Periods: the total time divided by the number of frames, whatever happened in between. Frame times: a single
    // delayed frame must not affect the result.
    m_batches[m_side].push_back(m_metric == AdviceMetric::Period ? meanOf(m_stretch) : medianOf(m_stretch));
    m_stretch.clear();
    m_stretchNs.reset();
    m_countedNs.reset();
    m_left = 0;
    const bool isTurn = m_batches[A].size() == m_batches[B].size();
    if (isTurn) {
        compare();
        if (m_outcome.turns >= kMostTurns || (m_outcome.turns >= kTurnsForClear && isClear()) || isDue(1)) {
            end();
            if (m_over)
                return;
        }
        m_left = kWarmUp; // The next turn begins with the same side: nothing is new.
        return;
    }
    m_side = m_side == A ? B : A;
    m_inForce = false;
}

void Trial::tick(std::int64_t ns)
{
    m_nowNs = ns;
    if (!m_beginNs)
        m_beginNs = ns;
    if (!m_over && isDue(2))
        stop("too few frames came in the time that a trial may take");
}

void Trial::stop(std::string_view why, bool goesBack)
{
    if (m_over)
        return;
    m_goesBack = goesBack;
    m_outcome.verdict = TrialVerdict::Unfinished;
    m_outcome.reason = why;
    m_over = true;
}

bool Trial::isDue(int times) const
{
    return (m_beginNs && m_nowNs - *m_beginNs >= times * m_limits.ns)
        || m_frames / static_cast<std::uint64_t>(times) >= m_limits.frames;
}

// --- results

void Trial::compare()
{
    const Difference found = comparePaired(m_batches[A], m_batches[B]);
    m_outcome.turns = found.units;
    m_outcome.ratio = found.ratio.value;
    m_outcome.noise = found.ratio.halfWidth();
    m_outcome.verdict = found.verdict == Comparison::Unchanged ? TrialVerdict::Same
        : found.verdict == Comparison::Better                  ? TrialVerdict::Faster
                                                               : TrialVerdict::Slower;
}

bool Trial::isClear() const
{
    const double difference = std::abs(m_outcome.ratio - 1);
    return m_outcome.verdict == TrialVerdict::Same ? difference + m_outcome.noise < 2 * kLeastDifference
                                                   : difference > kClear * m_outcome.noise;
}

void Trial::end()
{
    if (m_outcome.turns >= kFewestTurns)
        m_over = true;
}

} // namespace jetscope
