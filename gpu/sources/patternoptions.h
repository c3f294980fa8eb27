// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/clockcamera.h"
#include "gpu/sources/sourceoptions.h"

namespace jetscope {

/// The options of pattern:, a camera that does not exist in front of a screen that does not exist.
struct PatternOptions {
    SourceOptions source;
    CameraLook look;
    double delayMs = 0; ///< From the end of the last row's exposure to the time stamp.
};

Result<PatternOptions> readPatternOptions(const SourceUri &uri);

} // namespace jetscope
