// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/progressline.h"
#include "app/commandline/textlayout.h"
#include "app/measure/sweepplanning.h"
#include "app/measure/tuneoutput.h"
#include "app/run/runner.h"
#include "core/time/clock.h"
#include "gpu/measure/tunerun.h"

#include <cstdlib>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kStepEvery{5};

std::string tuneProgress(const Tuner &tuner)
{
    const std::string done = counted(tuner.measuredCells(), "combination") + " measured";
    const std::string change = describeChange(tuner.cells()[tuner.start()].config, tuner.cells()[tuner.best()].config);
    return done + (change.empty() ? std::string(" · nothing better yet") : " · ahead so far: " + change);
}

JsonObject tuneProgressJson(const Tuner &tuner)
{
    return {{"progress", tuner.progress()}, {"measured", tuner.measuredCells()}, {"seconds", tuner.elapsedSeconds()}};
}

} // namespace

int tuneCommand(const Options &options)
{
    PreparedTune prepared;
    if (const auto refusal = prepareTune(options, prepared))
        return complain(refusal->error, refusal->wrongUsage ? WrongUsage : Failed);
    const Interrupt interrupt;
    Result<std::unique_ptr<Pipeline>> pipeline = openSweepPipeline(prepared.sweep);
    if (!pipeline.ok())
        return complain(pipeline.error(), Failed);
    Tuner tuner(prepared.sweep.plan.cells, prepared.start, prepared.limits);
    TuneRun run(*pipeline.value(), tuner, prepared.sweep.conditions.figure());
    {
        ProgressLine progress;
        ProgressJson lines(options.sweep.progress);
        std::size_t told = 0;
        while (!run.isOver()) {
            if (interrupt.waitFor(kStepEvery))
                run.cancel();
            run.take(pipeline.value()->drainUpdates(), nowNs());
            progress.show(tuner.progress(), tuneProgress(tuner), nowNs());
            for (; told < tuner.steps().size(); ++told)
                lines.tell("step", tuneStepJson(tuner, tuner.steps()[told], prepared.sweep.conditions.figure()));
            lines.show([&] { return tuneProgressJson(tuner); }, nowNs());
        }
    }
    const bool lost = run.lost();
    const bool ended = endPipeline(std::move(pipeline).value(), kLongestEnd);
    if (lost)
        complain(tuner.reason());
    const SweepConditions &conditions = prepared.sweep.conditions;
    const int code = finishWith(options.json ? jsonLine(tuneJson(tuner, conditions)) : tuneText(tuner, conditions),
                                lost || !ended ? Failed : Good);
    if (!ended)
        std::_Exit(code); // Hung threads still use objects that a normal exit would destroy.
    return code;
}

} // namespace jetscope
