// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/machinechanges.h"

#include "core/board/boardlayout.h"
#include "core/text/numbertext.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace jetscope {

namespace {

/// The changes of a counter within a time, with its value at the start.
CounterEnds endsOf(const CounterTrack &track, Interval time)
{
    CounterEnds ends{
        track.info().name, track.info().unit, track.valueAt(time.startNs), track.valueAt(time.endNs), {}, {}};
    const auto widen = [&ends](double value) {
        ends.low = std::min(ends.low.value_or(value), value);
        ends.high = std::max(ends.high.value_or(value), value);
    };
    if (ends.begin)
        widen(*ends.begin);
    for (std::uint64_t i = firstSampleFrom(track, time.startNs); i < track.endIndex(); ++i) {
        const auto [ns, value] = track.at(i);
        if (ns > time.endNs)
            break;
        if (!std::isfinite(value))
            continue;
        if (!ends.begin && !ends.low)
            ends.begin = value; // The first reading comes a little after the start.
        widen(value);
    }
    return ends;
}

std::string amount(double value, std::string_view unit)
{
    if (unit == "Hz")
        return fixedText(value / 1e6, 0) + " MHz";
    return fixedText(value, 0) + (unit.empty() ? "" : " ") + std::string(unit);
}

void append(std::string &words, const std::string &part)
{
    words += (words.empty() ? "" : "; ") + part;
}

void addLimit(MachineSpan &span, const std::string &name, bool isLimited)
{
    span.limited = span.limited.value_or(false) || isLimited;
    if (isLimited)
        span.limits += (span.limits.empty() ? "" : ", ") + name;
}

} // namespace

bool isLimitCounter(std::string_view counter)
{
    return counter == kThrottlingCounter || counter == kRailLimitCounter || counter.starts_with(kGpuThrottlingCounter)
        || counter.starts_with(kGpuPowerCapCounter);
}

MachineSpan machineWithin(std::span<const CounterTrack> counters, Interval time)
{
    MachineSpan span;
    for (const CounterTrack &track : counters) {
        const CounterInfo &info = track.info();
        if (info.lane)
            continue;
        CounterEnds ends = endsOf(track, time);
        if (!ends.low)
            continue;
        if (info.name == kPowerModeCounter) {
            span.powerMode = std::move(ends);
        } else if (info.name == kClocksLockedCounter) {
            span.clocksLocked = *ends.low > 0;
        } else if (isLimitCounter(info.name)) {
            addLimit(span, info.name, *ends.high > 0);
        } else if (info.name == kOverCurrentCounter) {
            addLimit(span, info.name, *ends.high > *ends.low); // Each event throttles for a moment.
        } else if (info.unit == "Hz") {
            span.clocks.push_back(std::move(ends));
        } else if (info.unit == "°C") {
            span.temperatures.push_back(std::move(ends));
        }
    }
    span.energy = energyWithin(counters, time);
    return span;
}

std::string machineChangeWords(const MachineSpan &span)
{
    std::string words;
    if (span.powerMode && *span.powerMode->low != *span.powerMode->high)
        append(words,
               "the power mode changed between " + amount(*span.powerMode->low, "") + " and "
                   + amount(*span.powerMode->high, ""));
    for (const CounterEnds &clock : span.clocks)
        if (*clock.high > 0 && (*clock.high - *clock.low) / *clock.high > kMaxClockChange)
            append(words,
                   clock.name + " moved between " + amount(*clock.low, clock.unit) + " and "
                       + amount(*clock.high, clock.unit));
    for (const CounterEnds &zone : span.temperatures)
        if (*zone.high - *zone.low > kMaxDegrees)
            append(words,
                   zone.name + " moved between " + amount(*zone.low, zone.unit) + " and "
                       + amount(*zone.high, zone.unit));
    if (span.limited.value_or(false))
        append(words, "clocks were limited (" + span.limits + ")");
    return words;
}

std::string lockAdvice(std::string_view movedClock, std::span<const std::string> counterNames)
{
    const auto has = [&](std::string_view wanted) {
        return std::any_of(counterNames.begin(), counterNames.end(),
                           [&](const std::string &name) { return name.starts_with(wanted); });
    };
    if (has(kPowerModeCounter))
        return "lock the clocks: sudo jetson_clocks";
    if (movedClock.starts_with("GPU") && has(kGpuPowerCapCounter))
        return "lock the clocks: sudo nvidia-smi --lock-gpu-clocks=MIN,MAX with two equal clocks of nvidia-smi -q -d "
               "SUPPORTED_CLOCKS";
    return "fix the clocks (on a Jetson: sudo jetson_clocks)";
}

} // namespace jetscope
