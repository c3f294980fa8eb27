// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/overlap.h"

#include "core/text/numbertext.h"

#include <algorithm>

namespace jetscope {

namespace {

/// Minimum share of the period: below it, the smaller side is noise, and so is a ratio with it as the denominator.
constexpr std::int64_t kSmallestShare = 50; // 1/50 = 2 %

double quotient(std::int64_t part, std::int64_t whole)
{
    return static_cast<double>(part) / static_cast<double>(whole);
}

/// For example "0.1 %"; a positive share is never rounded down to 0.
std::string busyText(double share)
{
    const double percent = share * 100;
    if (percent > 0 && percent < 0.1)
        return "less than 0.1 %";
    return fixedText(percent, 1) + " %";
}

} // namespace

std::string boundsText(const RatioBounds &bounds)
{
    return "between " + fixedText(bounds.atLeast * 100, 0) + " and " + fixedText(bounds.atMost * 100, 0) + " %";
}

/// Bounded time within C can only raise the ratio, because it counts in the numerator and at most once in the
/// denominator; bounded time outside C can only lower it.
std::optional<RatioBounds> Overlap::overlapBounds() const
{
    const std::int64_t smaller = std::min(cpuNs, gpuNs);
    if (smaller <= 0 || smaller < periodNs / kSmallestShare + (periodNs % kSmallestShare != 0 ? 1 : 0))
        return std::nullopt;
    const std::int64_t leastWithin = std::min(cpuNs, gpuNs - bothBoundedNs);
    const std::int64_t mostWithin = std::min(cpuNs, gpuAtLeastNs() + bothBoundedNs);
    // With a zero denominator, all GPU work was within C in the first case and none of it in the second.
    return RatioBounds{leastWithin > 0 ? quotient(bothAtLeastNs(), leastWithin) : 1.0,
                       mostWithin > 0 ? quotient(bothNs, mostWithin) : 0.0};
}

std::optional<double> Overlap::overlap() const
{
    const std::optional<RatioBounds> bounds = overlapBounds();
    if (!bounds || bounds->atMost - bounds->atLeast > kMaxRatioSpread)
        return std::nullopt;
    return quotient(bothNs, std::min(cpuNs, gpuNs));
}

Overlap Overlap::withUnseenGpuWork() const
{
    Overlap most = *this;
    most.gpuNs = periodNs;
    most.bothNs = cpuNs;
    most.idleNs = 0;
    most.gpuBoundedNs = most.gpuNs - gpuAtLeastNs();
    most.bothBoundedNs = most.bothNs - bothAtLeastNs();
    return most;
}

std::string Overlap::overlapReason() const
{
    if (periodNs <= 0)
        return "no time has been measured yet";
    if (const std::optional<RatioBounds> bounds = overlapBounds()) {
        if (bounds->atMost - bounds->atLeast <= kMaxRatioSpread)
            return {};
        return boundsText(*bounds) + ": part of the GPU's work is known only to have run somewhere inside its spans";
    }
    const bool cpu = cpuNs <= gpuNs;
    const std::int64_t smaller = std::min(cpuNs, gpuNs);
    const std::string side = cpu ? "the CPU was " : "the GPU was ";
    return side + (smaller > 0 ? "busy " + busyText(quotient(smaller, periodNs)) + " of the time" : "not busy at all")
        + ": there is nothing to overlap";
}

double Overlap::parallelism() const
{
    const std::int64_t either = cpuNs + gpuNs - bothNs;
    return either > 0 ? static_cast<double>(cpuNs + gpuNs) / static_cast<double>(either) : 1.0;
}

Overlap &Overlap::operator+=(const Overlap &other)
{
    periodNs += other.periodNs;
    cpuNs += other.cpuNs;
    gpuNs += other.gpuNs;
    bothNs += other.bothNs;
    idleNs += other.idleNs;
    gpuBoundedNs += other.gpuBoundedNs;
    bothBoundedNs += other.bothBoundedNs;
    return *this;
}

} // namespace jetscope
