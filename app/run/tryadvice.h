// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/interrupt.h"
#include "core/measure/advice/trial.h"
#include "core/result.h"
#include "gpu/gl/display.h"

#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// The environment of the trials.
struct TrialSetup {
    std::shared_ptr<EglDisplay> display;
    std::string deviceId;
    std::string sourceUri;
    PipelineConfig config;
};

/// Tries each candidate of the list in turns on a separate pipeline and stores the outcomes. The error explains why
/// trials could not start or ended early; earlier outcomes are kept. Blocks for some seconds per candidate.
Status tryAdvice(std::vector<TriedCandidate> &list, const TrialSetup &setup, const Interrupt &interrupt);

} // namespace jetscope
