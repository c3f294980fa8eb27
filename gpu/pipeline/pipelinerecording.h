// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/marklist.h"
#include "core/tracefile/tracefilewriter.h"
#include "gpu/pipeline/pipeline.h"

#include <optional>

namespace jetscope {

/// The mark that a notice leaves on a trace; none for those without a place in time.
std::optional<TraceMark> markOf(const PipelineNotice &notice);

/// Hands a pipeline's lanes, counters, spans, figures and samples to a capture. Marks go their own way, because the
/// owner may have more of them than the pipeline reports.
void recordValues(TraceFileWriter &writer, const PipelineUpdate &update);

/// What the pipeline measured of its own measuring: rows `gpu_time`, `gpu_time_reason` and `trace_cost` of the table
/// `device`.
void recordStatus(TraceFileWriter &writer, const PipelineStatus &status);

} // namespace jetscope
