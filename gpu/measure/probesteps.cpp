// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/probesteps.h"

#include "core/platform/cudaversion.h"

#include <iterator>

namespace jetscope {

RoundStep costStep(std::string key, std::function<Result<double>()> measureNs)
{
    return {{key}, [key, measureNs = std::move(measureNs)](RoundFigures &to) -> Status {
                JETSCOPE_TRY_ASSIGN(const double ns, measureNs());
                to.emplace_back(key, ns / 1000); // Microseconds.
                return {};
            }};
}

RoundStep unavailableStep(std::vector<std::string> keys, Error reason)
{
    return {std::move(keys), [reason = std::move(reason)](RoundFigures &) -> Status { return reason; }};
}

std::vector<RoundStep> probeSteps(ProbeBench &bench)
{
    std::vector<RoundStep> steps;
    for (const auto part : {memorySteps, copySteps, callSteps, glSteps, pairSteps}) {
        std::vector<RoundStep> more = part(bench);
        std::move(more.begin(), more.end(), std::back_inserter(steps));
    }
    return steps;
}

ProbeTable probeTable(ProbeBench &bench, const Rounds &rounds)
{
    const DeviceFacts &facts = bench.device().facts();
    ProbeTable table;
    table.device.id = facts.id;
    table.device.name = facts.name;
    table.device.software = facts.software;
    table.device.integrated = facts.integrated;
    table.device.computeMajor = facts.computeMajor;
    table.device.computeMinor = facts.computeMinor;
    table.device.concurrentManagedAccess = facts.concurrentManagedAccess;
    table.device.pageableMemoryAccess = facts.pageableMemoryAccess;
    if (facts.driverVersion)
        table.driver = "CUDA " + cudaVersionText(*facts.driverVersion);
    if (const auto &display = bench.display())
        table.driver += (table.driver.empty() ? "" : "; ") + display->glVersion() + " on " + display->renderer();
    table.method = bench.method();
    table.width = bench.width();
    table.height = bench.height();
    for (const auto &[key, series] : rounds.all()) {
        ProbeFigure figure;
        figure.rounds = series.count();
        figure.unavailable = series.failure;
        if (figure.known() && figure.rounds == 0)
            figure.unavailable = "too short to be measured";
        if (figure.known())
            figure.estimate = series.estimate();
        table.figures.emplace(key, std::move(figure));
    }
    return table;
}

} // namespace jetscope
