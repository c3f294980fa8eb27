// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/lab/clockscreen.h"
#include "app/lab/labcommands.h"
#include "core/lab/sightingline.h"
#include "core/text/numbertext.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"

#include <chrono>
#include <cstdio>
#include <optional>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookEvery{10};

/// Follows what the clock shows until the user, --time or the other end has enough.
int followClock(const Options &options, const ShownLog &log, const std::atomic<bool> &left)
{
    const Interrupt interrupt;
    const std::int64_t startNs = nowNs();
    const std::int64_t limitNs = static_cast<std::int64_t>(options.seconds.value_or(0)) * 1'000'000'000;
    std::int64_t toldNs = startNs;
    std::uint64_t updates = 0;
    std::int64_t stepNs = 0;
    while (!left && !interrupt.waitFor(kLookEvery) && (limitNs == 0 || nowNs() - startNs < limitNs)) {
        for (const ShownStretch &stretch : log.between(toldNs, nowNs())) {
            if (stretch.fromNs <= toldNs)
                continue;
            toldNs = stretch.fromNs;
            updates += stretch.ms >= 0 ? 1 : 0;
            if (options.sightings)
                std::fputs((lineOf(ClockUpdate{stretch.ms, stretch.fromNs}) + "\n").c_str(), stdout);
        }
        stepNs = log.stepNs();
        if (options.sightings && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0))
            return Failed;
    }
    if (options.sightings)
        return Good;
    const double stepMs = static_cast<double>(stepNs) / 1e6;
    return finishWith(options.json ? jsonLine(JsonObject{{"updates", updates}, {"step_ms", jsonNumber(stepMs)}})
                                   : "The clock was shown with " + counted(updates, "update") + ", one every "
                              + fixedText(stepMs, 1) + " ms.\n",
                      updates > 0 ? Good : Failed);
}

} // namespace

int labClock(int argc, char **argv, const Options &options)
{
    return showClockAnywhere(argc, argv, [&](const std::shared_ptr<ShownLog> &log, const std::atomic<bool> &left) {
        return followClock(options, *log, left);
    });
}

} // namespace jetscope
