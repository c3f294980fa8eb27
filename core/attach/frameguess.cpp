// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/frameguess.h"

#include "core/attach/calltable.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace jetscope {

namespace {

constexpr std::size_t kFewestRepeats = 10;
constexpr double kRegular = 0.25;
constexpr double kLeastSure = 0.6;
/// Two calls that are about equally regular belong to the same loop.
constexpr double kSureStep = 0.05;

/// How likely such a call ends a frame, best first; empty for calls that do not.
std::optional<int> rankOf(const AttachCall &call)
{
    switch (call.work) {
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_CONTEXTSYNC:
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_FINISH:
    case JSA_WORK_GLWAIT:
    case JSA_WORK_READBACK:
    case JSA_WORK_RELEASE:
        return 0;
    case JSA_WORK_COPY:
    case JSA_WORK_COPYASYNC:
    case JSA_WORK_LAUNCH:
        return 1;
    default:
        return std::nullopt;
    }
}

/// The median interval in nanoseconds, and the share of the intervals that are near it.
std::pair<double, double> regularityOf(const std::vector<std::int64_t> &times)
{
    std::vector<double> intervals;
    for (std::size_t i = 1; i < times.size(); ++i)
        intervals.push_back(static_cast<double>(times[i] - times[i - 1]));
    const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
    std::nth_element(intervals.begin(), middle, intervals.end());
    const double median = *middle;
    const auto near = std::count_if(intervals.begin(), intervals.end(), [&](double interval) {
        return interval >= median * (1 - kRegular) && interval <= median * (1 + kRegular);
    });
    return {median, static_cast<double>(near) / static_cast<double>(intervals.size())};
}

} // namespace

std::optional<FrameGuess> guessFrames(std::span<const AttachEvent> events)
{
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<std::int64_t>> repeats;
    for (const AttachEvent &event : events)
        if (rankOf(*attachCall(event.call)))
            repeats[{event.thread, event.call}].push_back(event.endNs);
    std::optional<FrameGuess> best;
    std::tuple<int, int, std::size_t> bestKey;
    for (const auto &[key, times] : repeats) {
        if (times.size() < kFewestRepeats)
            continue;
        const auto [medianNs, sure] = regularityOf(times);
        if (sure < kLeastSure || medianNs <= 0)
            continue;
        // Among equally regular calls the rarest: the others repeat within a frame.
        const std::tuple rank(*rankOf(*attachCall(key.second)), -static_cast<int>(sure / kSureStep), times.size());
        if (best && rank >= bestKey)
            continue;
        best = FrameGuess{key.second, key.first, medianNs / 1e6, sure};
        bestKey = rank;
    }
    return best;
}

} // namespace jetscope
