// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/pipelineconfig.h"
#include "core/statistics.h"

#include <string>

namespace jetscope {

enum class Bottleneck { Unknown, Camera, Cpu, Gpu, HandOver };

/// Who limits the frame rate, and the next choice to try.
struct Verdict {
    Bottleneck bottleneck = Bottleneck::Unknown;
    std::string sentence;   ///< "Serialised by the hand-over: cudaDeviceSynchronize blocks 4.2 ms a frame; try EGLSync."
    std::string suggestion; ///< A setting as "sync=eglsync"; empty when there is nothing to try.
};

/// From the mean figures of recent frames. `facts` limits the suggestion to choices the device has.
Verdict verdictOf(const RunFigures &figures, const PipelineConfig &config, const DeviceFacts &facts);

} // namespace jetscope
