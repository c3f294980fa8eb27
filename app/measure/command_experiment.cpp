// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/devicechoice.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "app/measure/experimentoutput.h"
#include "app/measure/measuring.h"
#include "gpu/measure/experiments.h"

namespace jetscope {

namespace {

constexpr std::size_t kExperimentRounds = 10;

int runExperiment(const Options &options, const ExperimentInfo &info, const std::string &deviceId)
{
    const Interrupt interrupt;
    const Result<OpenBench> open = openBench(deviceId);
    if (!open.ok())
        return complain(open.error(), Failed);
    const std::string device = deviceWithBoard(open.value().device->facts().name);
    Result<PreparedExperiment> prepared = prepareExperiment(info, *open.value().bench);
    if (!prepared.ok()) {
        const std::string reason = prepared.error().message();
        return finishWith(options.json ? jsonLine(unavailableExperimentJson(info, device, reason))
                                       : unavailableExperimentText(info, device, reason),
                          WrongUsage);
    }
    Rounds rounds(std::move(prepared.value().steps), roundsMethod(options, kExperimentRounds));
    const bool interrupted = runRounds(rounds, *open.value().device, interrupt, options.sweep.progress);
    if (!rounds.isEnough())
        return tooFewRounds(rounds, interrupted);
    const std::string &measured = prepared.value().measuredOn;
    const ExperimentResult result = experimentResult(info, measured.empty() ? device : deviceWithBoard(measured),
                                                     std::move(prepared.value().design), rounds);
    return finishWith(options.json ? jsonLine(experimentJson(result)) : experimentText(result), Good);
}

} // namespace

int experimentCommand(const Options &options)
{
    if (options.operands.empty() || options.lists)
        return finishWith(options.json ? jsonLine(experimentListJson()) : experimentListText(), Good);
    const ExperimentInfo *info = experimentNamed(options.operands[0]);
    if (!info)
        return complain(sentence("there is no experiment " + quotedWords(options.operands[0])
                                 + ": \"jetscope experiment --list\" lists them"),
                        WrongUsage);
    if (options.deviceId)
        if (const Status checked = checkDevice(*options.deviceId, listDevices()); !checked.ok())
            return complain(checked.error(), WrongUsage);
    return runExperiment(options, *info, options.deviceId.value_or(bestDeviceId()));
}

} // namespace jetscope
