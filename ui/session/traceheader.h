// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tracefile/tracefilewriter.h"
#include "gpu/pipeline/pipelinecontrol.h"

#include <utility>

namespace jetscope {

/// What a capture says of its pipeline, or that it is of an inspected program, whose devices are not known.
inline TraceFileHeader traceHeaderOf(TraceOrigin origin, const PipelineStatus &status)
{
    return status.inspected ? TraceFileHeader{std::move(origin), {{kAttachedFact, "yes"}}}
                            : traceFileHeader(std::move(origin), status.facts, status.config);
}

} // namespace jetscope
