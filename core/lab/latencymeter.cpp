// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/latencymeter.h"

#include "core/figures/statistics.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr std::size_t kMostWaiting = 256;
constexpr double kMeterMs = 1e6;
constexpr std::int64_t kAgeMoves = 300'000'000; ///< The age of the light may change by so much at once.
constexpr std::int64_t kSearchEvery = 100'000'000;
constexpr std::int64_t kLongestAge = 3'900'000'000; ///< The clock repeats after that.
constexpr std::int64_t kStampMatters = 200'000;     ///< A stamp so close to the arrival says nothing else.

/// Mean of the parts of those frames whose totals are nearest to one: a tenth of them, or a fiftieth.
std::array<double, kLatencyParts> partsAround(double totalMs, std::vector<const FrameLatency *> frames,
                                              std::size_t share, bool hasStamps)
{
    const std::size_t count = std::max<std::size_t>(1, frames.size() / share);
    const auto apart = [totalMs](const FrameLatency *frame) {
        return std::abs(static_cast<double>(frame->totalNs()) / kMeterMs - totalMs);
    };
    std::nth_element(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(count - 1), frames.end(),
                     [&](const FrameLatency *a, const FrameLatency *b) { return apart(a) < apart(b); });
    std::array<double, kLatencyParts> mean{};
    for (std::size_t i = 0; i < count; ++i) {
        const LatencyParts parts = frames[i]->parts(hasStamps);
        for (std::size_t part = 0; part < kLatencyParts; ++part)
            mean[part] += static_cast<double>(parts[part]) / kMeterMs / static_cast<double>(count);
    }
    return mean;
}

double sumOf(const std::array<double, kLatencyParts> &parts)
{
    double sum = 0;
    for (const double part : parts)
        sum += part;
    return sum;
}

} // namespace

std::string_view latencyPartName(LatencyPart part)
{
    switch (part) {
    case LatencyPart::Camera:
        return "camera";
    case LatencyPart::Driver:
        return "driver";
    case LatencyPart::Queue:
        return "queue";
    case LatencyPart::Gpu:
        return "gpu";
    case LatencyPart::Present:
        return "present";
    }
    return {};
}

std::string_view latencyPartText(LatencyPart part)
{
    switch (part) {
    case LatencyPart::Camera:
        return "exposure, readout and what the camera does until its time stamp";
    case LatencyPart::Driver:
        return "from the time stamp until the frame is in memory";
    case LatencyPart::Queue:
        return "waits for the pipeline";
    case LatencyPart::Gpu:
        return "copy, kernels, draw";
    case LatencyPart::Present:
        return "waits for the view, until its swap returned";
    }
    return {};
}

LatencyParts FrameLatency::parts(bool hasStamps) const
{
    const std::int64_t cameraEnd = hasStamps ? stampNs : arrivedNs;
    return {cameraEnd - shown.middleNs(), arrivedNs - cameraEnd, startNs - arrivedNs, completeNs - startNs,
            endNs - completeNs};
}

std::optional<ShownTime> LatencyMeter::shownIn(const FrameSighting &sighting)
{
    const ClockSight sight = sighting.clock.sight;
    const bool isMixed = sight == ClockSight::Changing || sight == ClockSight::Contradicts;
    std::optional<ShownTime> shown = isMixed ? fitted(sighting) : std::nullopt;
    if (shown) {
        ++m_counts.fitted;
        return shown;
    }
    ++m_counts.bySight[static_cast<std::size_t>(sight)];
    if (sight != ClockSight::Read)
        return std::nullopt;
    shown = m_clock->of(sighting.clock.ms, sighting.arrivedNs);
    if (!shown)
        ++m_counts.notShown;
    return shown;
}

/// A picture that mixes several times is tried with what was shown as long ago as the last one, and now and then with
/// everything.
std::optional<ShownTime> LatencyMeter::fitted(const FrameSighting &sighting)
{
    const std::int64_t arrived = sighting.arrivedNs;
    std::optional<FittedExposure> fit;
    if (m_ageNs) {
        const std::int64_t until = std::min(arrived, arrived - *m_ageNs + kAgeMoves);
        fit = fitExposure(sighting.clock.cells, m_clock->between(arrived - *m_ageNs - kAgeMoves, until));
    }
    if (!fit && arrived - m_searchedNs >= kSearchEvery) {
        m_searchedNs = arrived;
        fit = fitExposure(sighting.clock.cells, m_clock->between(arrived - kLongestAge, arrived));
    }
    if (!fit)
        return std::nullopt;
    m_ageNs = arrived - fit->middleNs;
    return ShownTime{fit->middleNs - fit->boundNs, fit->middleNs + fit->boundNs};
}

void LatencyMeter::add(const FrameSighting &sighting)
{
    ++m_counts.frames;
    const std::optional<ShownTime> shown = shownIn(sighting);
    if (!shown)
        return;
    m_waiting.push_back({sighting, *shown});
    if (m_waiting.size() > kMostWaiting) {
        m_waiting.pop_front();
        ++m_counts.unfinished;
    }
}

void LatencyMeter::add(const FrameFigures &figures, std::uint64_t number)
{
    while (!m_waiting.empty() && m_waiting.front().sighting.number < number) {
        m_waiting.pop_front();
        ++m_counts.unfinished;
    }
    if (m_waiting.empty() || m_waiting.front().sighting.number != number)
        return;
    const Waiting read = m_waiting.front();
    m_waiting.pop_front();
    if (figures.frameNs <= 0 || figures.latencyNs <= 0) {
        ++m_counts.unfinished;
        return;
    }
    m_frames.push_back({number, read.shown, read.sighting.stampNs, read.sighting.arrivedNs, figures.startNs,
                        figures.startNs + figures.frameNs, read.sighting.stampNs + figures.latencyNs});
    if (m_frames.size() > kMostFrames)
        m_frames.pop_front();
}

bool LatencyMeter::hasStamps() const
{
    const auto good = std::count_if(m_frames.begin(), m_frames.end(), [](const FrameLatency &frame) {
        return frame.stampNs >= frame.shown.middleNs() && frame.stampNs <= frame.arrivedNs - kStampMatters;
    });
    return static_cast<std::size_t>(good) * 2 > m_frames.size();
}

std::optional<LatencyFigures> LatencyMeter::figures() const
{
    if (m_frames.empty())
        return std::nullopt;
    std::vector<const FrameLatency *> sorted;
    std::vector<double> steps;
    for (const FrameLatency &frame : m_frames) {
        sorted.push_back(&frame);
        steps.push_back(static_cast<double>(frame.shown.untilNs - frame.shown.fromNs) / kMeterMs);
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const FrameLatency *a, const FrameLatency *b) { return a->totalNs() < b->totalNs(); });
    std::sort(steps.begin(), steps.end());
    std::vector<double> totals;
    for (const FrameLatency *frame : sorted)
        totals.push_back(static_cast<double>(frame->totalNs()) / kMeterMs);
    LatencyFigures figures;
    figures.frames = sorted.size();
    figures.p50Ms = percentileOf(totals, 0.5);
    figures.p95Ms = percentileOf(totals, 0.95);
    figures.p99Ms = percentileOf(totals, 0.99);
    figures.leastMs = totals.front();
    figures.mostMs = totals.back();
    figures.stepMs = percentileOf(steps, 0.5);
    figures.boundMs = percentileOf(steps, 0.95) / 2;
    figures.hasStamps = hasStamps();
    figures.aroundP50 = partsAround(figures.p50Ms, sorted, 10, figures.hasStamps);
    figures.aroundP99 = partsAround(figures.p99Ms, sorted, 50, figures.hasStamps);
    figures.totalP50 = sumOf(figures.aroundP50);
    figures.totalP99 = sumOf(figures.aroundP99);
    return figures;
}

} // namespace jetscope
