// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/interrupt.h"
#include "app/run/runresult.h"
#include "core/tracefile/tracefilewriter.h"
#include "gpu/pipeline/pipeline.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>

namespace jetscope {

/// Collects what the pipeline reports until it ends, fails or is interrupted; an interrupted one is left paused.
/// What comes goes into `capture`, too, unless it is null. `segments` are those that may get figures of their own.
RunResult watchRun(PipelineControl &pipeline, const Interrupt &interrupt, std::uint64_t frameLimit,
                   TraceFileWriter *capture, std::span<const Segment> segments = {});

/// Ends the pipeline; false when that took longer than `timeout`, because its source or its device hangs: then it is
/// still ending on another thread, and the program is to be left with std::_Exit.
bool endPipeline(std::unique_ptr<PipelineControl> pipeline, std::chrono::milliseconds timeout);

} // namespace jetscope
