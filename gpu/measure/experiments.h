// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/experiment.h"
#include "gpu/measure/probebench.h"

#include <functional>
#include <string>
#include <vector>

namespace jetscope {

/// An experiment that is ready to run.
struct PreparedExperiment {
    ExperimentDesign design;
    std::vector<RoundStep> steps;
    std::string measuredOn; ///< As results name it; empty: the device of the bench.
};

/// The figures of a variant in one round, by column.
using VariantFigures = std::function<Result<std::vector<double>>()>;
/// Appends the step of the next variant of the design.
void addStep(PreparedExperiment &to, VariantFigures measure);
/// Appends a variant that is compared with the first one in each column, and its step.
void addVariant(PreparedExperiment &to, std::string name, VariantFigures measure);

/// Prepares an experiment on a device. The error is the reason why the device cannot do it. Both outlive the steps.
Result<PreparedExperiment> prepareExperiment(const ExperimentInfo &info, ProbeBench &bench);

// The single ones.
Result<PreparedExperiment> preparePinnedReread(ProbeBench &bench);
Result<PreparedExperiment> prepareGpuPasses(ProbeBench &bench);
Result<PreparedExperiment> prepareLaunchAttached(ProbeBench &bench);
Result<PreparedExperiment> prepareWaitPolicy(ProbeBench &bench);
Result<PreparedExperiment> prepareFenceFlush(ProbeBench &bench);
Result<PreparedExperiment> prepareRegistration(ProbeBench &bench);
/// VPI beside CUDA.
Result<PreparedExperiment> prepareVpiAttach(ProbeBench &bench);
Result<PreparedExperiment> prepareVpiOrder(ProbeBench &bench);
Result<PreparedExperiment> prepareVpiSync(ProbeBench &bench);
Result<PreparedExperiment> prepareVpiBuffers(ProbeBench &bench);
/// These run a pipeline of their own on the synthetic camera.
Result<PreparedExperiment> prepareEventPairs(ProbeBench &bench);
Result<PreparedExperiment> prepareFramesInFlight(ProbeBench &bench);
Result<PreparedExperiment> prepareSyncCalls(ProbeBench &bench);
Result<PreparedExperiment> prepareContention(ProbeBench &bench);
Result<PreparedExperiment> prepareGpuShare(ProbeBench &bench);
/// Sync modes without a pipeline.
Result<PreparedExperiment> prepareWakeUp(ProbeBench &bench);

} // namespace jetscope
