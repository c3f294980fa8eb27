// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/stampdoctor.h"

#include "core/enumtable.h"
#include "core/figures/averages.h"
#include "core/lab/stampseries.h"
#include "core/text/numbertext.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace jetscope {

namespace {

constexpr double kMsInNs = 1e6;
/// Drivers count in ticks of a timer, and read the clock on another processor: a stamp may lie this far ahead.
constexpr double kAheadMs = 10;
/// No frame that arrives is older: exposure, transfer and a queue of buffers at the lowest rates.
constexpr double kOldestMs = 2000;
/// Clocks are not read more exactly than that.
constexpr double kWorthSayingMs = 0.1;
/// Of the ages, so many must be possible.
constexpr double kMostOdd = 0.05;
/// Clocks of computers and cameras differ by less.
constexpr double kMostDriftPpm = 1000;

std::string msWords(double ms)
{
    return threeFigures(ms) + " ms";
}

/// The offset of a clock at a time, between the readings before and after.
struct ClockTrack {
    SystemClock clock = SystemClock::Monotonic;
    double aheadMs = 0; ///< At the first reading.
    double perMs = 0;   ///< How it grows.
    double boundMs = 0;
    std::int64_t fromNs = 0;

    double aheadAt(std::int64_t ns) const { return aheadMs + perMs * static_cast<double>(ns - fromNs) / kMsInNs; }
};

std::vector<ClockTrack> tracksOf(std::span<const SystemClockReading> before, std::span<const SystemClockReading> after)
{
    std::vector<ClockTrack> tracks;
    for (const SystemClockReading &reading : before) {
        ClockTrack track{reading.clock, static_cast<double>(reading.aheadNs) / kMsInNs, 0,
                         static_cast<double>(reading.boundNs) / kMsInNs, reading.atNs};
        const auto later = std::find_if(after.begin(), after.end(),
                                        [&](const SystemClockReading &other) { return other.clock == reading.clock; });
        if (later != after.end() && later->atNs > reading.atNs) {
            // Two readings close to each other tell nothing of a rate: what they may be wrong by would be multiplied.
            const std::int64_t gainedNs = later->aheadNs - reading.aheadNs;
            if (std::abs(gainedNs) > reading.boundNs + later->boundNs)
                track.perMs = static_cast<double>(gainedNs) / static_cast<double>(later->atNs - reading.atNs);
            track.boundMs += static_cast<double>(later->boundNs) / kMsInNs;
        }
        tracks.push_back(track);
    }
    return tracks;
}

/// The frames that have a stamp, as numbers.
struct Series {
    std::vector<double> index;
    std::vector<double> stampMs;
    std::vector<double> arrivalMs; ///< From the first arrival.
    std::vector<double> leadMs;    ///< Stamp minus arrival, with the whole times, so that offsets show.
    std::vector<std::int64_t> arrivalNs;
};

Series seriesOf(std::span<const StampedFrame> frames)
{
    Series series;
    for (const StampedFrame &frame : frames) {
        if (!frame.stamp.isThere)
            continue;
        series.index.push_back(static_cast<double>(frame.index));
        series.stampMs.push_back(static_cast<double>(frame.stamp.ns) / kMsInNs);
        series.arrivalMs.push_back(static_cast<double>(frame.stamp.arrivalNs - frames.front().stamp.arrivalNs)
                                   / kMsInNs);
        series.leadMs.push_back(static_cast<double>(frame.stamp.ns - frame.stamp.arrivalNs) / kMsInNs);
        series.arrivalNs.push_back(frame.stamp.arrivalNs);
    }
    return series;
}

/// How old the frames were when they arrived, if the stamps are of this clock.
std::vector<double> agesBy(const Series &series, const ClockTrack &track)
{
    std::vector<double> ages;
    for (std::size_t i = 0; i < series.leadMs.size(); ++i)
        ages.push_back(track.aheadAt(series.arrivalNs[i]) - series.leadMs[i]);
    return ages;
}

/// `aheadMs`: how far stamps may lie in the future.
bool arePossible(const std::vector<double> &ages, double aheadMs)
{
    const auto odd =
        std::count_if(ages.begin(), ages.end(), [aheadMs](double age) { return age < -aheadMs || age > kOldestMs; });
    return static_cast<double>(odd) <= kMostOdd * static_cast<double>(ages.size());
}

/// Differences of consecutive values, for each step of the frame number.
std::vector<double> stepsOf(const std::vector<double> &values, const std::vector<double> &index)
{
    std::vector<double> steps;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (index[i] > index[i - 1])
            steps.push_back((values[i] - values[i - 1]) / (index[i] - index[i - 1]));
    return steps;
}

StampSpread spreadAround(std::vector<double> steps, double middle)
{
    for (double &step : steps)
        step = std::abs(step - middle);
    return {medianOf(steps), percentileOfUnsorted(steps, 0.99)};
}

void countSteps(const Series &series, StampFinding &finding)
{
    for (std::size_t i = 1; i < series.stampMs.size(); ++i) {
        const double stamped = series.stampMs[i] - series.stampMs[i - 1];
        const double arrived = series.arrivalMs[i] - series.arrivalMs[i - 1];
        if (stamped < 0)
            ++finding.backwards;
        else if (stamped == 0)
            ++finding.repeated;
        // Neither the numbers nor the arrivals explain it.
        const double due = finding.periodMs * std::max(1.0, series.index[i] - series.index[i - 1]);
        if (finding.periodMs > 0 && std::abs(stamped - due) > 2 * finding.periodMs
            && std::abs(stamped - arrived) > 2 * finding.periodMs)
            ++finding.steps;
    }
}

/// How fast the clock of the stamps runs against ours, by the frames that arrived soonest.
LowerLine driftOf(const Series &series, const ClockTrack *track)
{
    std::vector<double> late;
    for (std::size_t i = 0; i < series.leadMs.size(); ++i)
        late.push_back((track ? track->aheadAt(series.arrivalNs[i]) : series.leadMs.front()) - series.leadMs[i]);
    return lowerLine(series.arrivalMs, late);
}

void findClock(const Series &series, const std::vector<ClockTrack> &tracks, StampFinding &finding)
{
    double youngest = 0;
    const ClockTrack *best = nullptr;
    for (const ClockTrack &track : tracks) {
        const std::vector<double> ages = agesBy(series, track);
        const bool isTold = track.clock == SystemClock::Monotonic && finding.toldClock == ToldClock::Monotonic;
        // Some drivers compute when a frame will have ended.
        if (!arePossible(ages, isTold ? std::max(kAheadMs, 1.2 * finding.periodMs) : kAheadMs))
            continue;
        const double age = medianOf(ages);
        const bool isBetter = !best
            || (std::abs(age) + track.boundMs < std::abs(youngest) && !isTold
                && finding.toldClock != ToldClock::Monotonic);
        if (best && !isBetter)
            finding.alsoPossible.push_back(track.clock);
        if (!isBetter)
            continue;
        if (best)
            finding.alsoPossible.push_back(best->clock);
        best = &track;
        youngest = age;
    }
    if (!best)
        return;
    finding.clock = StampClock::System;
    finding.system = best->clock;
    const std::vector<double> ages = agesBy(series, *best);
    finding.ageMs = StampSpread{medianOf(ages), percentileOfUnsorted(ages, 0.99)};
    finding.offsetMs = best->aheadAt(series.arrivalNs[series.arrivalNs.size() / 2]);
    finding.offsetBoundMs = best->boundMs;
    const LowerLine line = driftOf(series, best);
    finding.driftPpm = -line.slope * 1e6;
    finding.driftBoundPpm = line.slopeBound * 1e6;
}

/// No clock of this machine: only the youngest frame bounds the offset.
void boundUnknown(const Series &series, StampFinding &finding)
{
    const LowerLine line = driftOf(series, nullptr);
    const double ppm = -line.slope * 1e6;
    const bool isMedia = finding.toldClock == ToldClock::Media;
    if (std::abs(ppm) > kMostDriftPpm + line.slopeBound * 1e6 && !isMedia) {
        finding.clock = StampClock::Broken;
        finding.driftPpm = ppm;
        finding.driftBoundPpm = line.slopeBound * 1e6;
        return;
    }
    finding.clock = isMedia ? StampClock::Media : StampClock::Unknown;
    finding.driftPpm = ppm;
    finding.driftBoundPpm = line.slopeBound * 1e6;
    finding.offsetMs = *std::max_element(series.leadMs.begin(), series.leadMs.end());
    finding.isOffsetLeast = true;
}

/// A driver that computes when a picture will have been exposed or sent may stamp it with a moment yet to come.
bool isYetToCome(const StampFinding &finding)
{
    return finding.ageMs && finding.ageMs->p50 < -kWorthSayingMs;
}

void findEdge(StampFinding &finding)
{
    if (!finding.ageMs || finding.periodMs <= 0 || isYetToCome(finding))
        return;
    constexpr double kAtOnceMs = 1;
    const bool isAtOnce = finding.ageMs->p50 < std::min(kAtOnceMs, finding.periodMs / 8);
    const bool jittersAsArrival = finding.jitterMs.p99 > 0.5 * finding.arrivalJitter.p99;
    if (isAtOnce && jittersAsArrival)
        finding.edge = StampEdge::Arrival;
    else if (finding.toldEdge == ToldEdge::Start && !isAtOnce)
        finding.edge = StampEdge::Start;
    else if (finding.toldEdge == ToldEdge::End || isAtOnce)
        finding.edge = StampEdge::End;
}

/// Frames that are older than it takes to bring them here.
void sayOld(StampFinding &finding)
{
    constexpr double kMostPeriods = 8; ///< More than the buffers of most drivers.
    const double periods = finding.ageMs->p50 / finding.periodMs;
    if (periods > kMostPeriods)
        finding.conflicts.push_back(
            "Frames arrive " + msWords(finding.ageMs->p50) + " after their stamps, " + fixedText(periods, 0)
            + " periods: more than a driver's buffers hold, so the stamps are off by most of it.");
    else if (finding.toldEdge == ToldEdge::End && periods > 0.9)
        finding.conflicts.push_back(
            "The source says that its stamps are of the end of a frame, or says nothing, but frames arrive "
            + msWords(finding.ageMs->p50)
            + " later, a period or more: the driver keeps them so long, or the stamps are of the start.");
}

void findConflicts(StampFinding &finding)
{
    const auto say = [&finding](std::string text) { finding.conflicts.push_back(std::move(text)); };
    if (finding.toldClock == ToldClock::Monotonic && finding.clock != StampClock::None
        && finding.system != SystemClock::Monotonic)
        say("The source says that its stamps are of CLOCK_MONOTONIC, but they are of "
            + (finding.system ? std::string(rowOf(*finding.system).name) : std::string("no clock of this machine"))
            + ".");
    if (finding.toldClock == ToldClock::Nothing && finding.system)
        say("The source says of no clock; its stamps fit " + std::string(rowOf(*finding.system).name) + ".");
    if (isYetToCome(finding))
        say("Frames arrive " + msWords(-finding.ageMs->p50)
            + " before the time of their stamps: these are of a moment that is computed, or of another clock.");
    if (finding.ageMs && finding.toldEdge == ToldEdge::Start && finding.ageMs->p50 >= 0
        && finding.ageMs->p50 < std::min(1.0, finding.periodMs / 8))
        say("The source says that its stamps are of the start of the exposure, but frames arrive "
            + msWords(finding.ageMs->p50) + " later, sooner than a picture can be exposed and read out.");
    if (finding.ageMs && finding.periodMs > 0)
        sayOld(finding);
    if (finding.driftPpm && finding.clock == StampClock::System
        && std::abs(*finding.driftPpm) > finding.driftBoundPpm + 20)
        say("The stamps run " + signedText(*finding.driftPpm, 0) + " ppm (± " + fixedText(finding.driftBoundPpm, 0)
            + ") against the clock that they fit.");
    if (finding.backwards > 0)
        say(counted(finding.backwards, "stamp") + " before that of the frame before.");
    if (finding.steps > 0)
        say("The stamps leap " + counted(finding.steps, "time") + " while the frames keep coming.");
}

std::string verdictOf(const StampFinding &finding)
{
    switch (finding.clock) {
    case StampClock::None:
        return "The source gives no time stamps: frames are dated by their arrival, and how old they are then is not "
               "known.";
    case StampClock::Media:
        return "The stamps are times within the file or stream: they say when a frame is to be shown, not when it was "
               "taken.";
    case StampClock::Broken:
        return "The stamps do not advance as time does, so they date nothing: use the arrival.";
    case StampClock::Unknown:
        return "The stamps are of a clock that is not one of this machine: subtract " + fixedText(*finding.offsetMs, 3)
            + " ms and the unknown age of the youngest frame.";
    case StampClock::System:
        break;
    }
    const std::string name(rowOf(*finding.system).name);
    if (isYetToCome(finding))
        return "The stamps are of " + name
            + ", of moments after the frames arrived: how old a frame is, they do not say.";
    const std::string edge = finding.edge == StampEdge::Unknown ? "" : ", of the " + std::string(nameOf(finding.edge));
    return "The stamps are of " + name + edge + ": latency is now − stamp"
        + (std::abs(*finding.offsetMs) <= finding.offsetBoundMs + 0.001
               ? std::string()
               : " + " + fixedText(*finding.offsetMs, 3) + " ms")
        + ".";
}

} // namespace

std::string_view nameOf(StampClock clock)
{
    static constexpr auto kWords = enumWords<StampClock>({"none", "system", "media", "unknown", "broken"});
    return kWords[static_cast<std::size_t>(clock)];
}

std::string_view nameOf(StampEdge edge)
{
    static constexpr auto kWords =
        enumWords<StampEdge>({"unknown", "start of the exposure", "end of the frame", "arrival"});
    return kWords[static_cast<std::size_t>(edge)];
}

std::string_view nameOf(ToldClock clock)
{
    static constexpr auto kWords =
        enumWords<ToldClock>({"nothing", "monotonic", "copied", "media", "sender", "arrival"});
    return kWords[static_cast<std::size_t>(clock)];
}

std::string_view nameOf(ToldEdge edge)
{
    static constexpr auto kWords = enumWords<ToldEdge>({"nothing", "end", "start"});
    return kWords[static_cast<std::size_t>(edge)];
}

StampFinding examineStamps(std::span<const StampedFrame> frames, std::span<const SystemClockReading> before,
                           std::span<const SystemClockReading> after)
{
    StampFinding finding;
    finding.frames = frames.size();
    if (frames.empty()) {
        finding.verdict = "No frame came.";
        return finding;
    }
    finding.toldClock = frames.front().stamp.clock;
    finding.toldEdge = frames.front().stamp.edge;
    finding.seconds =
        static_cast<double>(frames.back().stamp.arrivalNs - frames.front().stamp.arrivalNs) / (1000 * kMsInNs);
    const Series series = seriesOf(frames);
    finding.missing = frames.size() - series.index.size();
    if (series.index.size() < kFewestStamps) {
        finding.verdict = frames.size() < kFewestStamps ? "Too few frames came to tell anything." : verdictOf(finding);
        return finding;
    }
    const std::vector<double> steps = stepsOf(series.stampMs, series.index);
    finding.periodMs = std::max(0.0, medianOf(steps));
    finding.jitterMs = spreadAround(steps, finding.periodMs);
    finding.arrivalJitter = spreadAround(stepsOf(series.arrivalMs, series.index), finding.periodMs);
    countSteps(series, finding);
    if (finding.toldClock != ToldClock::Media)
        findClock(series, tracksOf(before, after), finding);
    if (finding.clock != StampClock::System)
        boundUnknown(series, finding);
    findEdge(finding);
    findConflicts(finding);
    finding.verdict = verdictOf(finding);
    return finding;
}

} // namespace jetscope
