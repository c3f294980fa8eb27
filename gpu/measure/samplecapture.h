// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tracefile/tracefilewriter.h"
#include "gpu/pipeline/pipelinecontrol.h"

#include <cstddef>
#include <vector>

namespace jetscope {

/// The newest 60 frames of the updates as the bytes of a capture file. Writes it to the folder for temporary files first; blocks for some
/// milliseconds.
Result<std::vector<std::byte>> sampleCapture(const TraceFileHeader &header, std::vector<PipelineUpdate> updates);

} // namespace jetscope
