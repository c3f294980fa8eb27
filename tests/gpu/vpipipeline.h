// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stagetrial.h"
#include "tests/gpu/vpireferences.h"
#include "tests/support/pipelinefixture.h"

// Pipelines with a stage of VPI, as tests start them.
namespace jetscope::testing {

/// For a pipeline with this one stage, which is known already, on the software iGPU with two streams: random grey
/// pictures, whose output goes into `log`.
inline PipelineSetup stagePipeline(const std::string &stage, std::uint64_t frames, OutputLog &log)
{
    PipelineSetup setup;
    setup.display = displayOf("soft:orin");
    setup.deviceId = "soft:orin";
    setup.source = std::make_unique<RandomSource>(PixelFormat::Grey8, kWidth, kHeight, frames);
    setup.config.filters = {*choiceByName<Filter>(stage)};
    setup.config.streams = 2;
    setup.hostFiles.clear();
    setup.outputTap = log.tap();
    return setup;
}

/// What a pipeline reports until it ends by itself.
inline Result<PipelineUpdate> runToEnd(PipelineSetup setup)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Pipeline> pipeline, Pipeline::create(std::move(setup)));
    pipeline->waitForEnd();
    return pipeline->drainUpdates();
}

/// main() of a test of stages: also the child that tries a stage.
template <class Test>
int runStageTest(int argc, char **argv)
{
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    QCoreApplication application(argc, argv);
    setStageTrialTimeout(std::chrono::seconds(60)); // Machines are busy.
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace jetscope::testing
