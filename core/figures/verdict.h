// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "core/path/pathsummary.h"
#include "core/pipelineconfig.h"

#include <string>

namespace jetscope {

enum class Bottleneck { Unknown, Camera, Cpu, Gpu, HandOver, View };

/// What most of the period is spent on.
struct Verdict {
    /// Whose pieces are the larger part of the path; Unknown where nobody's are.
    Bottleneck bottleneck = Bottleneck::Unknown;
    /// "GPU-bound: 82 % of the period is device work, most of it kernel gaussian15 (76 %, 12.3 ms a frame)."
    std::string sentence;
};

/// From the critical path of recent frames. Names the largest piece with its share and what nothing explains, never a
/// setting; a configuration that is unsafe on this device is said first.
Verdict verdictOf(const PathSummary &path, const PipelineConfig &config, const DeviceFacts &facts);
/// Of a trace from a file, whose configuration is not known to be one and the same.
Verdict verdictOf(const PathSummary &path);

} // namespace jetscope
