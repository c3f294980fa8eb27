// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/experiments.h"

#include <array>
#include <utility>

namespace jetscope {

namespace {

struct ExperimentMaker {
    std::string_view name;
    Result<PreparedExperiment> (*prepare)(ProbeBench &bench);
};

constexpr auto kMakers = std::to_array<ExperimentMaker>({
    {"pinned-reread", preparePinnedReread},
    {"gpu-passes", prepareGpuPasses},
    {"launch-attached", prepareLaunchAttached},
    {"wait-policy", prepareWaitPolicy},
    {"fence-flush", prepareFenceFlush},
    {"registration", prepareRegistration},
    {"event-pairs", prepareEventPairs},
    {"frames-in-flight", prepareFramesInFlight},
    {"sync-calls", prepareSyncCalls},
    {"wake-up", prepareWakeUp},
    {"contention", prepareContention},
    {"gpu-share", prepareGpuShare},
    {"vpi-attach", prepareVpiAttach},
    {"vpi-order", prepareVpiOrder},
    {"vpi-sync", prepareVpiSync},
    {"vpi-buffers", prepareVpiBuffers},
});

} // namespace

void addStep(PreparedExperiment &to, VariantFigures measure)
{
    std::vector<std::string> keys;
    for (std::size_t column = 0; column < to.design.columns.size(); ++column)
        keys.push_back(experimentKey(to.steps.size(), column));
    to.steps.push_back({keys, [keys, measure = std::move(measure)](RoundFigures &figures) -> Status {
                            JETSCOPE_TRY_ASSIGN(const std::vector<double> measured, measure());
                            for (std::size_t column = 0; column < keys.size(); ++column)
                                figures.emplace_back(keys[column], measured[column]);
                            return {};
                        }});
}

void addVariant(PreparedExperiment &to, std::string name, VariantFigures measure)
{
    const std::size_t variant = to.design.variants.size();
    to.design.variants.push_back(std::move(name));
    for (std::size_t column = 0; variant > 0 && column < to.design.columns.size(); ++column)
        to.design.comparisons.push_back({0, variant, column});
    addStep(to, std::move(measure));
}

Result<PreparedExperiment> prepareExperiment(const ExperimentInfo &info, ProbeBench &bench)
{
    for (const ExperimentMaker &maker : kMakers)
        if (maker.name == info.name)
            return maker.prepare(bench);
    return sentence("this build has no experiment " + std::string(info.name));
}

} // namespace jetscope
