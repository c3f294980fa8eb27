// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/clockmeeting.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace jetscope {

namespace {

std::string numberText(const char *format, double number)
{
    char text[64];
    std::snprintf(text, sizeof text, format, number);
    return text;
}

} // namespace

std::vector<std::string> clockLines(const std::vector<ClockMeeting> &meetings)
{
    struct Clock {
        const ClockMeeting *best = nullptr;
        std::size_t count = 0;
    };
    std::vector<Clock> clocks;
    for (const ClockMeeting &meeting : meetings) {
        auto at = std::find_if(clocks.begin(), clocks.end(),
                               [&](const Clock &clock) { return clock.best->clock == meeting.clock; });
        if (at == clocks.end())
            at = clocks.insert(at, {&meeting, 0});
        ++at->count;
        if (meeting.boundNs < at->best->boundNs)
            at->best = &meeting;
    }
    std::vector<std::string> lines;
    for (const Clock &clock : clocks) {
        const ClockMeeting &best = *clock.best;
        std::string line = best.clock + ": " + numberText("%.6f s ", std::abs(static_cast<double>(best.offsetNs) / 1e9))
            + (best.offsetNs >= 0 ? "behind" : "ahead of") + " this one within ±"
            + numberText("%.3g ms", static_cast<double>(best.boundNs) / 1e6);
        if (clock.count > 1)
            line += ", measured " + std::to_string(clock.count) + " times";
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace jetscope
