// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/measure/sweep/sweepfile.h"
#include "core/measure/tune/tuner.h"
#include "gpu/gl/display.h"
#include "gpu/measure/sweeprun.h"
#include "gpu/pipeline/pipeline.h"

#include <memory>
#include <optional>
#include <string>

namespace jetscope {

/// Everything that a sweep needs before its first pipeline: new, or as a file has it.
struct PreparedSweep {
    std::shared_ptr<EglDisplay> display;
    std::unique_ptr<Device> device; ///< Until its first pipeline has it.
    DeviceFacts facts;
    SweepConditions conditions;
    std::optional<StoredSweep> stored; ///< Of a sweep that is resumed.
    PipelineConfig base;               ///< The settings that are not varied.
    SweepPlan plan;
    TurnsMethod method;
};

/// An error of the preparation; `wrongUsage`: the command line asks for something that cannot be.
struct SweepRefusal {
    bool wrongUsage = false;
    Error error;
};

/// What a search measures.
struct PreparedTune {
    PreparedSweep sweep; ///< Device, source and the cells of the search.
    std::size_t start = 0;
    TunerLimits limits;
};

/// Plans a search from the choices of --from, or from the default of the device.
std::optional<SweepRefusal> prepareTune(const Options &options, PreparedTune &to);

/// Plans a new sweep, or reads the file to resume. Opens display and device.
std::optional<SweepRefusal> prepareSweep(const Options &options, PreparedSweep &to);

/// The stages among the filters of a plan, for --filters of a process that goes on with its file; empty if it has none.
std::string stageNamesOf(const SweepPlan &plan);

/// The command line that goes on with a sweep. It allows the source and the stages that the file names.
std::string resumeCommandOf(const std::string &path, const SweepConditions &conditions, const SweepPlan &plan);

/// Keeps --rounds and --time in the file for --resume.
Status keepLimits(SweepFile &file, const SweepOptions &options);

/// The pipeline of a sweep, on its first cell's source and configuration.
Result<std::unique_ptr<Pipeline>> openSweepPipeline(PreparedSweep &prepared);

/// The address for a size. 0x0 is the source's own.
SourceForSize sourceForSize(const SweepConditions &conditions);

TraceFileHeader sweepFileHeader(const PreparedSweep &prepared);

} // namespace jetscope
