// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/experiments.h"

#include <array>

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
    {"vpi-attach", prepareVpiAttach},
    {"vpi-order", prepareVpiOrder},
    {"vpi-sync", prepareVpiSync},
    {"vpi-buffers", prepareVpiBuffers},
});

} // namespace

Result<PreparedExperiment> prepareExperiment(const ExperimentInfo &info, ProbeBench &bench)
{
    for (const ExperimentMaker &maker : kMakers)
        if (maker.name == info.name)
            return maker.prepare(bench);
    return sentence("this build has no experiment " + std::string(info.name));
}

} // namespace jetscope
