// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/cameraskew.h"

#include "core/enumtable.h"
#include "core/figures/averages.h"
#include "core/lab/stampseries.h"
#include "core/text/numbertext.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr double kNsOfMs = 1e6;
/// Less is not said: the clocks of drivers are not better.
constexpr double kWorthMs = 1;
constexpr double kWorthPpm = 20;
constexpr double kOtherRate = 1.005; ///< Other rates for sure; NTSC's differ by a thousandth only.
constexpr double kMostOfClocksPpm = 500;
constexpr std::size_t kFewestGroups = 8;
/// Of a period; a little more than half, because cameras that are half a period apart waver.
constexpr double kFarthest = 0.6;

double middleOfOthers(std::vector<double> values, std::size_t without)
{
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(without));
    return medianOf(values);
}

/// Frames of the same moment, one of each camera; indices into the frames of each.
using Group = std::vector<std::size_t>;

double periodMsOf(const std::vector<CameraFrame> &frames)
{
    std::vector<double> steps;
    for (std::size_t i = 1; i < frames.size(); ++i)
        if (frames[i].index > frames[i - 1].index)
            steps.push_back(static_cast<double>(frames[i].stampNs - frames[i - 1].stampNs) / kNsOfMs
                            / static_cast<double>(frames[i].index - frames[i - 1].index));
    return std::max(0.0, medianOf(steps));
}

/// The frame that was taken nearest to a time; `from` is where the search goes on, for times that increase.
std::size_t nearestFrame(const std::vector<CameraFrame> &frames, std::int64_t ns, std::size_t &from)
{
    while (from + 1 < frames.size() && std::abs(frames[from + 1].stampNs - ns) <= std::abs(frames[from].stampNs - ns))
        ++from;
    return from;
}

/// The camera with the longest period leads, so that each of its frames can have one of all others. A frame is of one
/// moment only.
std::vector<Group> groupsOf(std::span<const std::vector<CameraFrame>> cameras, const std::vector<double> &periods)
{
    std::vector<Group> groups;
    const auto lead = static_cast<std::size_t>(std::max_element(periods.begin(), periods.end()) - periods.begin());
    std::vector<std::size_t> from(cameras.size(), 0);
    std::vector<std::size_t> next(cameras.size(), 0); ///< Frames before it are of earlier moments.
    for (std::size_t i = 0; i < cameras[lead].size(); ++i) {
        const std::int64_t ns = cameras[lead][i].stampNs;
        Group group(cameras.size(), i);
        bool isWhole = true;
        for (std::size_t camera = 0; camera < cameras.size() && isWhole; ++camera) {
            if (camera == lead)
                continue;
            // Where two are about as near, the one that is not of a moment yet.
            group[camera] = std::max(nearestFrame(cameras[camera], ns, from[camera]), next[camera]);
            isWhole = group[camera] < cameras[camera].size()
                && std::abs(static_cast<double>(cameras[camera][group[camera]].stampNs - ns)) / kNsOfMs
                    <= kFarthest * periods[camera];
        }
        if (!isWhole)
            continue;
        for (std::size_t camera = 0; camera < cameras.size(); ++camera)
            next[camera] = group[camera] + 1;
        groups.push_back(std::move(group));
    }
    return groups;
}

/// How far each camera's frame of each moment is from the middle of the others of that moment, in milliseconds.
struct Offsets {
    std::vector<std::vector<double>> of; ///< By camera, then by group.
    std::vector<double> widths;          ///< By group: between the first and the last frame.
};

Offsets offsetsOf(std::span<const std::vector<CameraFrame>> cameras, const std::vector<Group> &groups,
                  std::int64_t CameraFrame::*time)
{
    Offsets offsets;
    offsets.of.resize(cameras.size());
    const std::int64_t zero = cameras.front().front().*time;
    for (const Group &group : groups) {
        std::vector<double> times;
        for (std::size_t camera = 0; camera < cameras.size(); ++camera)
            times.push_back(static_cast<double>(cameras[camera][group[camera]].*time - zero) / kNsOfMs);
        for (std::size_t camera = 0; camera < cameras.size(); ++camera)
            offsets.of[camera].push_back(times[camera] - middleOfOthers(times, camera));
        const auto [first, last] = std::minmax_element(times.begin(), times.end());
        offsets.widths.push_back(*last - *first);
    }
    return offsets;
}

std::vector<double> agesOf(const std::vector<CameraFrame> &frames)
{
    std::vector<double> ages;
    for (const CameraFrame &frame : frames)
        ages.push_back(static_cast<double>(frame.arrivalNs - frame.stampNs) / kNsOfMs);
    return ages;
}

double farthest(std::vector<double> values)
{
    for (double &value : values)
        value = std::abs(value);
    return percentileOfUnsorted(std::move(values), 0.99);
}

/// Of the periods, since offsets of free cameras wrap around. None where they differ by far more than clocks do: other
/// rates, or a camera that pauses.
void findDrift(std::span<const std::vector<CameraFrame>> cameras, SkewFinding &finding)
{
    std::vector<LowerLine> lines;
    std::vector<double> rates;
    for (std::size_t camera = 0; camera < cameras.size(); ++camera) {
        std::vector<double> numbers;
        std::vector<double> times;
        for (const CameraFrame &frame : cameras[camera]) {
            numbers.push_back(static_cast<double>(frame.index - cameras[camera].front().index));
            times.push_back(static_cast<double>(frame.stampNs - cameras[camera].front().stampNs) / kNsOfMs);
        }
        lines.push_back(lowerLine(numbers, times));
        rates.push_back(lines.back().slope);
    }
    const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
    if (*least <= 0 || *most > *least * kOtherRate)
        return;
    for (std::size_t camera = 0; camera < cameras.size(); ++camera) {
        const double middle = middleOfOthers(rates, camera);
        finding.cameras[camera].driftPpm = (lines[camera].slope / middle - 1) * 1e6;
        finding.cameras[camera].driftBoundPpm = lines[camera].slopeBound / middle * 1e6;
    }
}

/// The camera whose value is farthest from the middle of all, by how much, and by how much it leaves the next one.
std::pair<std::size_t, double> oddOne(const std::vector<double> &values)
{
    const double middle = medianOf(values);
    std::size_t odd = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        // Of two that are as far, the later one.
        if (std::abs(values[i] - middle) > std::abs(values[odd] - middle) + 1e-6
            || (std::abs(std::abs(values[i] - middle) - std::abs(values[odd] - middle)) <= 1e-6
                && values[i] > values[odd]))
            odd = i;
    return {odd, values[odd] - middleOfOthers(values, odd)};
}

void blame(SkewFinding &finding, SkewCause cause, std::size_t camera)
{
    finding.cause = cause;
    finding.culprit = camera;
}

template <class Get>
std::vector<double> each(const std::vector<CameraFinding> &cameras, Get get)
{
    std::vector<double> values;
    for (const CameraFinding &camera : cameras)
        values.push_back(get(camera));
    return values;
}

void findCause(SkewFinding &finding, bool knowsExposure)
{
    const std::vector<double> periods = each(finding.cameras, [](const CameraFinding &c) { return c.periodMs; });
    const auto [least, most] = std::minmax_element(periods.begin(), periods.end());
    if (*most > *least * kOtherRate)
        return blame(finding, SkewCause::Rate, oddOne(periods).first);
    const std::size_t drifting =
        oddOne(each(finding.cameras, [](const CameraFinding &c) { return c.driftPpm.value_or(0); })).first;
    const double ppm = finding.cameras[drifting].driftPpm.value_or(0);
    double bound = 0;
    for (const CameraFinding &camera : finding.cameras)
        bound = std::max(bound, camera.driftBoundPpm);
    if (std::abs(ppm) > kWorthPpm + 2 * bound)
        return blame(finding, SkewCause::Drift, drifting);
    const auto [apart, skew] = oddOne(each(finding.cameras, [](const CameraFinding &c) { return c.skewMs; }));
    if (std::abs(skew) > kWorthMs)
        return blame(finding, knowsExposure ? SkewCause::Trigger : SkewCause::Arrival, apart);
    const auto [slow, age] = oddOne(each(finding.cameras, [](const CameraFinding &c) { return c.ageMs; }));
    if (std::abs(age) > kWorthMs)
        return blame(finding, SkewCause::Driver, slow);
    const auto [late, tail] =
        oddOne(each(finding.cameras, [](const CameraFinding &c) { return c.ageP99Ms - c.ageMs; }));
    if (tail > kWorthMs)
        blame(finding, SkewCause::Queue, late);
}

/// "the others every 33.3 ms".
std::string otherPeriodsText(const SkewFinding &finding)
{
    const double middle =
        middleOfOthers(each(finding.cameras, [](const CameraFinding &c) { return c.periodMs; }), *finding.culprit);
    return (finding.cameras.size() == 2 ? "the other every " : "the others every ") + threeFigures(middle) + " ms";
}

std::string verdictOf(const SkewFinding &finding, std::span<const std::string> names)
{
    const std::string apart = "The frames of a moment are " + threeFigures(finding.skewMs) + " ms apart (p99 "
        + threeFigures(finding.skewP99Ms) + "), and arrive " + threeFigures(finding.arrivalSkewMs) + " ms apart";
    if (!finding.culprit)
        return apart + ": no camera leaves the others.";
    const CameraFinding &camera = finding.cameras[*finding.culprit];
    const std::string &name = names[*finding.culprit];
    switch (finding.cause) {
    case SkewCause::Trigger:
        return apart + ": " + name + " is exposed " + threeFigures(std::abs(camera.skewMs)) + " ms "
            + (camera.skewMs < 0 ? "before" : "after") + " the others: give all cameras one trigger.";
    case SkewCause::Driver:
        return apart + ": frames of " + name + " take " + threeFigures(camera.ageMs)
            + " ms from their stamp to the program, which is not what the others take: its driver or its cable.";
    case SkewCause::Queue:
        return apart + ": some frames of " + name + " take up to " + threeFigures(camera.ageP99Ms) + " ms instead of "
            + threeFigures(camera.ageMs) + " to the program: they wait in a queue.";
    case SkewCause::Drift:
        return apart + ": " + name + " runs " + signedText(camera.driftPpm.value_or(0), 0)
            + " ppm against the others, so they part: "
            + (std::abs(camera.driftPpm.value_or(0)) < kMostOfClocksPpm
                   ? "give all cameras one trigger."
                   : "more than clocks differ by. Give all cameras one frame rate (29.97 is not 30) and one trigger.");
    case SkewCause::Arrival:
        return apart + ": frames of " + name + " come " + threeFigures(std::abs(camera.skewMs)) + " ms "
            + (camera.skewMs < 0 ? "before" : "after")
            + " those of the others. The stamps say when frames came, not when they were exposed, so that its trigger, "
              "its "
              "driver and its cable cannot be told apart: let all cameras look at one clock, or use stamps of the "
              "driver.";
    case SkewCause::Rate:
        return apart + ": " + name + " has a frame every " + threeFigures(camera.periodMs) + " ms and "
            + otherPeriodsText(finding) + ": give all cameras one frame rate.";
    case SkewCause::None:
        break;
    }
    return apart + ".";
}

} // namespace

std::string_view nameOf(SkewCause cause)
{
    static constexpr auto kWords =
        enumWords<SkewCause>({"none", "trigger", "driver", "queue", "drift", "arrival", "rate"});
    return kWords[static_cast<std::size_t>(cause)];
}

SkewFinding compareCameras(std::span<const std::vector<CameraFrame>> cameras, std::span<const std::string> names,
                           bool knowsExposure)
{
    SkewFinding finding;
    std::vector<double> periods;
    for (const std::vector<CameraFrame> &frames : cameras) {
        CameraFinding &camera = finding.cameras.emplace_back();
        camera.frames = frames.size();
        camera.periodMs = periodMsOf(frames);
        camera.ageMs = medianOf(agesOf(frames));
        camera.ageP99Ms = percentileOfUnsorted(agesOf(frames), 0.99);
        periods.push_back(camera.periodMs);
    }
    const bool areAll = cameras.size() >= 2
        && std::all_of(cameras.begin(), cameras.end(),
                       [](const std::vector<CameraFrame> &frames) { return frames.size() >= kFewestGroups; });
    const std::vector<Group> groups = areAll ? groupsOf(cameras, periods) : std::vector<Group>();
    finding.groups = groups.size();
    if (groups.size() < kFewestGroups) {
        finding.verdict = areAll ? "The cameras have too few frames of the same moment to compare them."
                                 : "Too few frames came to compare the cameras.";
        return finding;
    }
    const Offsets stamps = offsetsOf(cameras, groups, &CameraFrame::stampNs);
    const Offsets arrivals = offsetsOf(cameras, groups, &CameraFrame::arrivalNs);
    for (std::size_t i = 0; i < cameras.size(); ++i) {
        CameraFinding &camera = finding.cameras[i];
        camera.paired = groups.size();
        camera.skewMs = medianOf(stamps.of[i]);
        camera.skewP99Ms = farthest(stamps.of[i]);
        camera.arrivalSkewMs = medianOf(arrivals.of[i]);
        camera.offsetsMs = stamps.of[i];
        camera.arrivalOffsetsMs = arrivals.of[i];
    }
    finding.skewMs = medianOf(stamps.widths);
    finding.skewP99Ms = percentileOfUnsorted(stamps.widths, 0.99);
    finding.arrivalSkewMs = medianOf(arrivals.widths);
    finding.arrivalSkewP99Ms = percentileOfUnsorted(arrivals.widths, 0.99);
    findDrift(cameras, finding);
    findCause(finding, knowsExposure);
    finding.verdict = verdictOf(finding, names);
    return finding;
}

} // namespace jetscope
