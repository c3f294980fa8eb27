// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "app/measure/comparefiles.h"

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

/// What --fail-on-worse found.
struct Gate {
    std::string worse;     ///< Rows that are worse by at least the limit, in words.
    bool answered = false; ///< At least one row has a verdict.

    void add(const ComparedFigure &figure, Figure of, std::string_view name, double percent)
    {
        constexpr double kRounding = 1e-9;
        answered = answered || figure.differs() || figure.verdict == RowVerdict::Unchanged;
        const std::optional<double> share = worseBy(figure, of);
        if (figure.verdict == RowVerdict::Worse && share && *share * 100 >= percent - kRounding)
            worse += (worse.empty() ? "" : ", ") + std::string(name) + " " + differenceText(figure, rowOf(of).unit);
    }
};

Gate gateOf(const CaptureComparison &comparison, double percent)
{
    Gate gate;
    for (const ComparedMetric &metric : comparison.metrics)
        gate.add(metric.figure, metric.metric, rowOf(metric.metric).label, percent);
    return gate;
}

Gate gateOf(const SweepComparison &comparison, double percent)
{
    Gate gate;
    for (const ComparedCell &cell : comparison.cells)
        gate.add(cell.figure, comparison.metric, cell.words, percent);
    return gate;
}

template <class Result>
ExitCode gateCode(const Options &options, const Result &comparison)
{
    if (!options.compare.failOnWorse)
        return Good;
    const Gate gate = gateOf(comparison, *options.compare.failOnWorse);
    if (gate.answered && gate.worse.empty())
        return Good;
    complain(gate.answered
                 ? "worse by at least " + fixedText(*options.compare.failOnWorse, 1) + " %: " + gate.worse
                 : std::string("--fail-on-worse has no answer, because there is no verdict: the result says why"));
    return Failed;
}

/// Different work is compared on request only.
template <class Result>
std::optional<int> refusedWork(const Options &options, const Result &comparison)
{
    if (comparison.otherWork.empty() || options.compare.anyway)
        return std::nullopt;
    return complain(sentence(comparison.noVerdict + "; --anyway compares different work"), Failed);
}

} // namespace

int compareCommand(const Options &options)
{
    CompareProgress progress;
    ComparedFiles files;
    if (const auto refusal = readSides(options, progress, files)) {
        if (wasCancelled(refusal->error))
            return complain(sentence("interrupted: nothing was compared"), Failed);
        return complain(refusal->error, refusal->wrongUsage ? WrongUsage : Failed);
    }
    if (const auto *sweeps = std::get_if<ComparedSweeps>(&files)) {
        const SweepComparison comparison = compareSweeps(sweeps->a, sweeps->b, options.metric, options.compare.anyway);
        if (const auto refused = refusedWork(options, comparison))
            return *refused;
        const ExitCode code = gateCode(options, comparison);
        return finishWith(options.json ? jsonLine(compareJson(options, comparison)) : compareText(options, comparison),
                          code);
    }
    const auto &captures = std::get<ComparedCaptures>(files);
    const CaptureComparison comparison =
        compareCaptures(captures.a, captures.b, ComparedSides::Captures, "A", options.compare.anyway);
    if (const auto refused = refusedWork(options, comparison))
        return *refused;
    const ExitCode code = gateCode(options, comparison);
    return finishWith(options.json ? jsonLine(compareJson(captures, comparison)) : compareText(captures, comparison),
                      code);
}

} // namespace jetscope
