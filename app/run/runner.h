// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/interrupt.h"
#include "app/run/runresult.h"
#include "gpu/pipeline/pipeline.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>

namespace jetscope {

class RunTraceFile;

/// Collects the pipeline's updates until it ends, fails or is interrupted; after an interrupt it is left paused. The
/// updates are also written to `capture` unless it is null. `segments` are the planned segments with figures of their
/// own.
RunResult watchRun(PipelineControl &pipeline, const Interrupt &interrupt, std::uint64_t frameLimit,
                   RunTraceFile *capture, std::span<const Segment> segments = {});

/// How long `endPipeline` waits where nothing else is wanted.
inline constexpr std::chrono::seconds kLongestEnd{10};

/// Ends the pipeline. Returns false if that takes longer than `timeout` because its source or device hangs: then it is
/// still ending on another thread, and the program must exit with std::_Exit.
bool endPipeline(std::unique_ptr<PipelineControl> pipeline, std::chrono::milliseconds timeout);

} // namespace jetscope
