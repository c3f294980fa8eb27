// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/pipelinecontrol.h"

#include <optional>
#include <vector>

namespace jetscope {

/// The trace mark for a notice; none for notices without a time.
std::optional<TraceMark> markOf(const PipelineNotice &notice);

/// The pipeline's data about its own measurement: rows such as `gpu_time`, `gpu_time_reason` and `trace_cost`.
std::vector<TraceFact> factsOf(const PipelineStatus &status);

} // namespace jetscope
