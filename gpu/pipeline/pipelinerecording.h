// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/marklist.h"
#include "core/tracefile/tracefilewriter.h"
#include "gpu/pipeline/pipeline.h"

#include <optional>

namespace jetscope {

/// The trace mark for a notice; none for notices without a time.
std::optional<TraceMark> markOf(const PipelineNotice &notice);

/// Writes a pipeline's lanes, counters, spans, figures and samples to a trace file. Marks are written separately,
/// because the owner may have more of them than the pipeline reports.
void recordValues(TraceFileWriter &writer, const PipelineUpdate &update);

/// Writes the pipeline's data about its own measurement: rows `gpu_time`, `gpu_time_reason` and `trace_cost` of the
/// table `device`.
void recordStatus(TraceFileWriter &writer, const PipelineStatus &status);

} // namespace jetscope
