// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/tryadvice.h"

#include "app/commandline/progressline.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"
#include "gpu/measure/pipelinetrial.h"
#include "gpu/pipeline/pipeline.h"

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kDrainEvery{10};
/// Enough for some seconds of the smallest frames on the fastest machine; otherwise the time limit ends the trial
/// first.
constexpr std::uint64_t kMaxTrialFrames = 20'000;

Result<std::unique_ptr<Pipeline>> openPipeline(const TrialSetup &setup)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<FrameSource> source, openSource(setup.sourceUri, Pacing::Unpaced));
    PipelineSetup pipeline;
    pipeline.display = setup.display;
    pipeline.deviceId = setup.deviceId;
    pipeline.source = std::move(source);
    pipeline.config = setup.config;
    pipeline.hostFiles.clear();
    return Pipeline::create(std::move(pipeline));
}

Error endedBefore(const std::string &what)
{
    return {"--try", 0, "the other choices were not tried, because " + what};
}

} // namespace

Status tryAdvice(std::vector<TriedCandidate> &list, const TrialSetup &setup, const Interrupt &interrupt)
{
    if (list.empty())
        return {};
    const Result<std::unique_ptr<Pipeline>> pipeline = openPipeline(setup);
    if (!pipeline.ok())
        return pipeline.error();
    TrialLimits limits;
    limits.frames = kMaxTrialFrames;
    ProgressLine progress;
    for (std::size_t i = 0; i < list.size(); ++i) {
        TriedCandidate &entry = list[i];
        progress.show(static_cast<double>(i) / static_cast<double>(list.size()),
                      "trying " + std::to_string(i + 1) + " of " + counted(list.size(), "choice"), nowNs());
        PipelineTrial trial(*pipeline.value(), entry.candidate, limits);
        while (!trial.isBack()) {
            if (interrupt.waitFor(kDrainEvery))
                return endedBefore("the run was interrupted");
            trial.take(pipeline.value()->drainUpdates(), nowNs());
        }
        entry.tried = trial.outcome();
        const PipelineState state = pipeline.value()->status().state;
        if (state == PipelineState::Ended)
            return endedBefore("the source ended; give a longer one, or one that repeats itself (loop=1)");
        if (state == PipelineState::Failed)
            return endedBefore("the pipeline stopped");
    }
    return {};
}

} // namespace jetscope
