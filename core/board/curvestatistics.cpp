// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/curvestatistics.h"

#include "core/board/energy.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace jetscope {

namespace {

constexpr double kUsualShare = 0.95;

struct HeldValue {
    double value;
    std::int64_t ns;
};

std::vector<HeldValue> heldWithin(const CounterTrack &track, Interval time)
{
    std::vector<HeldValue> held;
    std::uint64_t index = firstSampleFrom(track, time.startNs);
    if (index > track.firstIndex())
        --index; // Its value holds at the start.
    for (; index < track.endIndex(); ++index) {
        const auto [ns, value] = track.at(index);
        if (ns >= time.endNs)
            break;
        const std::int64_t untilNs =
            index + 1 < track.endIndex() ? std::min(track.at(index + 1).first, time.endNs) : time.endNs;
        const std::int64_t fromNs = std::max(ns, time.startNs);
        if (untilNs > fromNs && std::isfinite(value))
            held.push_back({value, untilNs - fromNs});
    }
    return held;
}

} // namespace

std::optional<CurveStatistics> statisticsOf(const CounterTrack &track, Interval time)
{
    std::vector<HeldValue> held = heldWithin(track, time);
    if (held.empty())
        return std::nullopt;
    std::sort(held.begin(), held.end(), [](const HeldValue &a, const HeldValue &b) { return a.value < b.value; });
    CurveStatistics found;
    found.min = held.front().value;
    found.max = found.p95 = held.back().value;
    double weighted = 0;
    for (const HeldValue &part : held) {
        found.knownNs += part.ns;
        weighted += part.value * static_cast<double>(part.ns);
    }
    found.mean = weighted / static_cast<double>(found.knownNs);
    double seenNs = 0;
    for (const HeldValue &part : held) {
        seenNs += static_cast<double>(part.ns);
        if (seenNs < kUsualShare * static_cast<double>(found.knownNs))
            continue;
        found.p95 = part.value;
        break;
    }
    return found;
}

} // namespace jetscope
