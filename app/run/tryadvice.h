// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/interrupt.h"
#include "core/advice/trial.h"
#include "core/result.h"
#include "gpu/gl/display.h"

#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// What the trials run on.
struct TrialSetup {
    std::shared_ptr<EglDisplay> display;
    std::string deviceId;
    std::string sourceUri;
    PipelineConfig config;
};

/// Tries each of the list by turns on a pipeline of its own, and notes what came of it. The error says why trials could
/// not be begun or came to an early end; what was tried until then stays. Waits: some seconds for each.
Status tryAdvice(std::vector<TriedCandidate> &list, const TrialSetup &setup, const Interrupt &interrupt);

} // namespace jetscope
