// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "app/gate/gateoutput.h"
#include "app/measure/comparefiles.h"
#include "app/measure/comparegate.h"
#include "core/gate/baseline.h"

#include <optional>
#include <string>

namespace jetscope {

namespace {

class CompareProgress : public Progress {
public:
    bool advance(double) override { return !m_interrupt.requested(); }

private:
    Interrupt m_interrupt;
};

bool isGate(const Options &options)
{
    return options.compare.failOnWorse || options.gate.isWanted();
}

/// Different work is compared on request only.
template <class Result>
std::optional<Error> refusedWork(const Options &options, const Result &comparison)
{
    if (comparison.otherWork.empty() || options.compare.anyway)
        return std::nullopt;
    return sentence(comparison.noVerdict + "; --anyway compares different work");
}

/// Of "baseline:NAME".
std::string baselineName(const Options &options)
{
    return options.gate.against->substr(options.gate.against->find(':') + 1);
}

/// Side A from the baseline that the options name.
Result<Options> withBaseline(const Options &options)
{
    Options with = options;
    if (!options.gate.against)
        return with;
    const Baselines baselines(options.gate.baselines.value_or(Baselines::folderOfThisUser()));
    JETSCOPE_TRY_ASSIGN(const Baseline baseline, baselines.find(baselineName(options)));
    with.compare.a = baseline.captures;
    return with;
}

/// What is worse becomes the baseline if that is accepted.
Status acceptIfAsked(const Options &options, GateReport &report)
{
    if (!options.gate.accept || report.worse.empty())
        return {};
    const Baselines baselines(options.gate.baselines.value_or(Baselines::folderOfThisUser()));
    JETSCOPE_TRY(
        baselines.set(baselineName(options), options.compare.b, *options.gate.accept + " (" + report.worse + ")"));
    report.accepted = *options.gate.accept;
    return {};
}

/// The end of a comparison that may be a gate.
int finishComparison(const Options &options, GateReport report, const std::string &text)
{
    if (!isGate(options))
        return finishWith(text, Good);
    if (const Status accepted = acceptIfAsked(options, report); !accepted.ok())
        return complain(accepted.error(), Failed);
    return finishGate(options.gate, report, text);
}

/// Nothing is compared. Of a gate, that is no verdict and not a failure of the new side.
int refuse(const Options &options, const Error &error)
{
    return isGate(options)
        ? finishWithoutVerdict(options.gate, joined(options.compare.a, ", "), joined(options.compare.b, ", "), error)
        : complain(error, Failed);
}

int compareFiles(const Options &options)
{
    CompareProgress progress;
    ComparedFiles files;
    if (const auto refusal = readSides(options, progress, files)) {
        if (wasCancelled(refusal->error))
            return complain(sentence("interrupted: nothing was compared"), Failed);
        return refusal->wrongUsage ? complain(refusal->error, WrongUsage) : refuse(options, refusal->error);
    }
    const double percent = options.compare.failOnWorse.value_or(0);
    if (const auto *sweeps = std::get_if<ComparedSweeps>(&files)) {
        const SweepComparison comparison = compareSweeps(sweeps->a, sweeps->b, options.metric, options.compare.anyway);
        if (const auto refused = refusedWork(options, comparison))
            return refuse(options, *refused);
        const std::string text =
            options.json ? jsonLine(compareJson(options, comparison)) : compareText(options, comparison);
        return comparison.cells.empty() && !isGate(options)
            ? finishWith(text, Failed)
            : finishComparison(options, gateOf(options, comparison, percent), text);
    }
    const auto &captures = std::get<ComparedCaptures>(files);
    const CaptureComparison comparison =
        compareCaptures(captures.a, captures.b, ComparedSides::Captures, "A", options.compare.anyway);
    if (const auto refused = refusedWork(options, comparison))
        return refuse(options, *refused);
    return finishComparison(options, gateOf(options, captures, comparison, percent),
                            options.json ? jsonLine(compareJson(captures, comparison))
                                         : compareText(captures, comparison));
}

} // namespace

int compareCommand(const Options &options)
{
    const Result<Options> with = withBaseline(options);
    return with.ok() ? compareFiles(with.value()) : refuse(options, with.error());
}

} // namespace jetscope
