// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"
#include "core/settings/devicefacts.h"
#include "core/settings/pipelineconfig.h"

#include <string>

namespace jetscope {

enum class Bottleneck { Unknown, Camera, Cpu, Gpu, HandOver, View };

/// What limits the frame rate: where most of the period is spent.
struct Verdict {
    /// The component whose pieces make up the larger part of the path; Unknown if there is none.
    Bottleneck bottleneck = Bottleneck::Unknown;
    /// "GPU-bound: 82 % of the period is device work, most of it kernel gaussian15 (76 %, 12.3 ms a frame)."
    std::string sentence;
};

/// Verdict from the critical path of recent frames. Names the largest piece with its share, and the unexplained share,
/// but never suggests a setting. A warning about a configuration that is unsafe on this device comes first.
Verdict verdictOf(const PathSummary &path, const PipelineConfig &config, const DeviceFacts &facts);
/// For a trace from a file, whose configuration may have changed within the trace.
Verdict verdictOf(const PathSummary &path);

} // namespace jetscope
