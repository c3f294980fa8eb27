// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/energy.h"

#include "core/board/boardlayout.h"
#include "core/board/boardrails.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr std::int64_t kLongestGapNs = 1'000'000'000;
constexpr std::int64_t kLongestEdgeNs = 250'000'000;
constexpr std::size_t kMinReadings = 3;

struct PowerPoint {
    std::int64_t ns;
    double watts;
};

double wattsAt(const PowerPoint &a, const PowerPoint &b, std::int64_t ns)
{
    const double part = static_cast<double>(ns - a.ns) / static_cast<double>(b.ns - a.ns);
    return a.watts + (b.watts - a.watts) * part;
}

/// The samples within the time and the next one on each side, which the value at an end is interpolated with.
std::vector<PowerPoint> pointsAround(const CounterTrack &track, Interval time)
{
    std::vector<PowerPoint> points;
    std::uint64_t index = firstSampleFrom(track, time.startNs);
    if (index > track.firstIndex() && time.startNs - track.at(index - 1).first <= kLongestGapNs)
        --index;
    for (; index < track.endIndex(); ++index) {
        const auto [ns, value] = track.at(index);
        if (ns > time.endNs + kLongestGapNs)
            break;
        points.push_back({ns, value});
        if (ns >= time.endNs)
            break;
    }
    return points;
}

std::string seconds(std::int64_t ns)
{
    return std::to_string((ns + 50'000'000) / 1'000'000'000) + "."
        + std::to_string((ns + 50'000'000) / 100'000'000 % 10) + " s";
}

Reading<double> joulesOf(const CounterTrack &track, Interval time)
{
    const std::string &name = track.info().name;
    std::vector<PowerPoint> points = pointsAround(track, time);
    if (points.size() < kMinReadings)
        return sentence("there are only " + std::to_string(points.size()) + " readings of " + name
                        + " in this time, and " + std::to_string(kMinReadings) + " are needed");
    if (std::any_of(points.begin(), points.end(), [](const PowerPoint &point) { return !std::isfinite(point.watts); }))
        return sentence(name + " could not be read all the time");
    if (points.front().ns - time.startNs > kLongestEdgeNs || time.endNs - points.back().ns > kLongestEdgeNs)
        return sentence("there are no readings of " + name + " at an end of this time");
    if (points.front().ns > time.startNs)
        points.insert(points.begin(), {time.startNs, points.front().watts});
    if (points.back().ns < time.endNs)
        points.push_back({time.endNs, points.back().watts});
    double joules = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const PowerPoint &a = points[i];
        const PowerPoint &b = points[i + 1];
        if (b.ns - a.ns > kLongestGapNs)
            return sentence("there was no reading of " + name + " for " + seconds(b.ns - a.ns));
        const std::int64_t fromNs = std::max(a.ns, time.startNs);
        const std::int64_t toNs = std::min(b.ns, time.endNs);
        if (toNs > fromNs)
            joules += (wattsAt(a, b, fromNs) + wattsAt(a, b, toNs)) / 2 * static_cast<double>(toNs - fromNs) / 1e9;
    }
    return joules;
}

} // namespace

std::uint64_t firstSampleFrom(const CounterTrack &track, std::int64_t ns)
{
    std::uint64_t first = track.firstIndex();
    std::uint64_t last = track.endIndex();
    while (first < last) {
        const std::uint64_t middle = first + (last - first) / 2;
        if (track.at(middle).first < ns)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

bool isInputRail(std::string_view counter)
{
    return counter == "power VDD_IN" || counter == "power POM_5V_IN" || counter == "power VIN";
}

std::vector<std::size_t> energyCounters(std::span<const CounterTrack> counters)
{
    std::vector<std::size_t> parts;
    std::vector<std::string> rails;
    const auto isAnyPart = [](const std::string &name) {
        return name == kGpuPowerCounter || name.starts_with(kPackagePowerPrefix);
    };
    for (std::size_t i = 0; i < counters.size(); ++i) {
        const std::string &name = counters[i].info().name;
        if (isInputRail(name) || name == kSumOfRailsCounter)
            return {i};
        if (isAnyPart(name))
            parts.push_back(i);
        if (name.starts_with(kRailPrefix))
            rails.push_back(name.substr(kRailPrefix.size()));
    }
    // A board whose rails are known, as in a log of tegrastats, which has no sum of them.
    const BoardRails board = railsOf(rails);
    if (!board.board.starts_with("Jetson"))
        return parts;
    parts.clear();
    for (std::size_t i = 0; i < counters.size(); ++i)
        for (const std::string &rail : board.summed)
            if (counters[i].info().name == std::string(kRailPrefix) + rail)
                parts.push_back(i);
    return parts;
}

Energy energyWithin(std::span<const CounterTrack> counters, Interval time)
{
    Energy energy;
    const std::vector<std::size_t> parts = energyCounters(counters);
    if (parts.empty()) {
        energy.joules.reason = "no power of this machine can be read without root";
        return energy;
    }
    double sum = 0;
    std::string source;
    for (const std::size_t part : parts) {
        const Reading<double> joules = joulesOf(counters[part], time);
        if (!joules.known()) {
            energy.joules = joules;
            return energy;
        }
        sum += *joules.value;
        source += (source.empty() ? "" : " + ") + counters[part].info().name;
    }
    energy.joules = sum;
    energy.source = std::move(source);
    return energy;
}

} // namespace jetscope
