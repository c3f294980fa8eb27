// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/devicechoice.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/recordingwatch.h"
#include "app/commandline/textlayout.h"
#include "app/fleet/fleetadding.h"
#include "app/measure/sweepoutput.h"
#include "app/measure/sweepplanning.h"
#include "app/measure/sweepprogress.h"
#include "app/run/runner.h"
#include "core/system/newfile.h"
#include "core/time/clock.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kTakeEvery{5};

/// CannotGoOn: the file cannot be written, or no pipeline can be opened.
enum class Outcome { Complete, Interrupted, PipelineLost, DeviceLost, CannotGoOn };

/// Measures with one pipeline for as long as it lasts.
Outcome measureWith(Pipeline &pipeline, Sweep &sweep, SweepFile &file, const PreparedSweep &prepared,
                    const Interrupt &interrupt, SweepProgress &progress, std::optional<Error> &trouble)
{
    SweepRun run(pipeline, sweep, file, sourceForSize(prepared.conditions));
    while (!run.isOver()) {
        if (interrupt.waitFor(kTakeEvery))
            return Outcome::Interrupted;
        run.take(pipeline.drainUpdates(), nowNs());
        progress.show(sweep, nowNs());
    }
    trouble = run.trouble();
    if (trouble)
        return Outcome::CannotGoOn;
    if (run.lost())
        return run.deviceLost() ? Outcome::DeviceLost : Outcome::PipelineLost;
    return Outcome::Complete;
}

/// Pipelines one after the other, as long as each new one gets further. `ended` is false if the last one hangs.
Outcome measureAll(Sweep &sweep, SweepFile &file, PreparedSweep &prepared, const Interrupt &interrupt,
                   const SweepOptions &options, std::optional<Error> &trouble, bool &ended)
{
    SweepProgress progress(options);
    while (true) {
        Result<std::unique_ptr<Pipeline>> pipeline = openSweepPipeline(prepared);
        if (!pipeline.ok()) {
            trouble = pipeline.error();
            return Outcome::CannotGoOn;
        }
        const Outcome outcome = measureWith(*pipeline.value(), sweep, file, prepared, interrupt, progress, trouble);
        ended = endPipeline(std::move(pipeline).value(), kLongestEnd);
        if (!ended || outcome != Outcome::PipelineLost || sweep.turns.remainingCells() == 0)
            return outcome;
    }
}

/// Only a new process can use a lost device again. It goes on with the file, where the cell counts as failed.
int goOnInNewProcess(const Options &options, const PreparedSweep &prepared)
{
    std::vector<std::string> words{
        "jetscope", "sweep", "--out", *options.sweep.outPath, "--resume", "--source", prepared.conditions.source};
    if (const std::string stages = stageNamesOf(prepared.plan); !stages.empty())
        words.insert(words.end(), {"--filters", stages});
    if (options.sweep.rounds)
        words.insert(words.end(), {"--rounds", std::to_string(*options.sweep.rounds)});
    if (options.sweep.seconds)
        words.insert(words.end(), {"--time", std::to_string(*options.sweep.seconds)});
    if (options.json)
        words.emplace_back("--json");
    if (options.sweep.progress)
        words.emplace_back("--progress");
    std::vector<char *> arguments;
    for (std::string &word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv("/proc/self/exe", arguments.data());
    return complain(sentence(std::string("the device is lost to this process, and another one could not be started (")
                             + std::strerror(errno) + "): run \"jetscope sweep --out FILE --resume\""),
                    Failed);
}

/// What is going to be measured, and how long it takes at least.
std::string beginningText(const PreparedSweep &prepared)
{
    constexpr std::int64_t kLongNs = 600'000'000'000;
    const std::size_t cells = prepared.plan.cells.size();
    const std::size_t rounds = prepared.method.budgetNs ? kMinRounds : prepared.method.rounds;
    const std::int64_t leastNs = static_cast<std::int64_t>(cells * rounds) * kLeastStretchNs;
    return counted(cells, "combination") + " on " + deviceWithBoard(prepared.facts.name) + ", "
        + std::to_string(prepared.plan.leftOut.size()) + " left out; " + counted(rounds, "round") + " take "
        + clockText(leastNs) + " at least"
        + (leastNs > kLongNs ? ": name fewer values, such as --wait auto, or search with \"jetscope tune\""
                             : std::string());
}

std::string_view sweepStateOf(Outcome outcome)
{
    return outcome == Outcome::Complete ? "complete" : "unfinished";
}

int reportSweep(const Options &options, Outcome outcome, const std::optional<Error> &trouble, bool ended,
                const PreparedSweep &prepared)
{
    const std::string &path = *options.sweep.outPath;
    if (trouble)
        complain(trouble->message());
    const Result<StoredSweep> stored = readSweep(path);
    if (!stored.ok())
        return complain(stored.error(), Failed);
    const bool complete = outcome == Outcome::Complete;
    if (outcome == Outcome::Interrupted || (!ended && !complete))
        complain("the sweep is unfinished; continue it with: "
                 + resumeCommandOf(path, prepared.conditions, prepared.plan));
    const bool measured = !stored.value().stretches.empty();
    const ExitCode code = outcome == Outcome::CannotGoOn || (!ended && !complete) || !measured ? Failed : Good;
    return finishWith(options.json ? jsonLine(sweepJson(stored.value())) : sweepText(stored.value()), code);
}

} // namespace

int sweepCommand(const Options &options)
{
    if (const Result<Options> with = withFleetCapture(options); !with.ok()) // Before a minute is measured.
        return complain(with.error(), Failed);
    PreparedSweep prepared;
    if (const auto refusal = prepareSweep(options, prepared))
        return complain(refusal->error, refusal->wrongUsage ? WrongUsage : Failed);
    const Interrupt interrupt;
    const std::string &path = *options.sweep.outPath;
    if (!prepared.stored)
        if (const Status room = makeRoomForCapture(path); !room.ok())
            return complain(room.error(), Failed);
    Result<SweepFile> file = prepared.stored
        ? SweepFile::resume(path)
        : SweepFile::create(path, sweepFileHeader(prepared), prepared.conditions, prepared.plan);
    if (!file.ok())
        return complain(file.error(), Failed);
    if (!prepared.stored)
        if (const Status kept = keepLimits(file.value(), options.sweep); !kept.ok())
            return complain(kept.error(), Failed);
    Sweep sweep(prepared.plan, sweepFileHeader(prepared), prepared.method, prepared.conditions.figure());
    if (prepared.stored)
        sweep.resume(*prepared.stored);
    complain(beginningText(prepared));

    std::optional<Error> trouble;
    bool ended = true;
    const Outcome outcome = measureAll(sweep, file.value(), prepared, interrupt, options.sweep, trouble, ended);
    if (outcome == Outcome::DeviceLost)
        return goOnInNewProcess(options, prepared);
    if (const Status said = file.value().setRemark("state", sweepStateOf(outcome)); !said.ok() && !trouble)
        trouble = said.error();
    const int code = reportSweep(options, outcome, trouble, ended, prepared);
    if (!ended)
        std::_Exit(code); // Hung threads still use objects that a normal exit would destroy.
    return addToFleet(options, code);
}

} // namespace jetscope
