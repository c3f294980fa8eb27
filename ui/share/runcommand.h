// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"
#include "core/settings/pipelineconfig.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// What a run of the pipeline depends on.
struct RunChoices {
    std::string source; ///< As the window opens it, at its own rate.
    std::string deviceId;
    PipelineConfig config; ///< Of a mistake: the choices that it is made of.
    std::uint64_t frameLimit = 0;
    std::string scene{}; ///< The mistake to show; empty for none.
};

/// The command line for a shell that runs the same without a window. Choices that `jetscope run` makes by itself on a
/// device with these facts are left out. Source and device are always named, because their defaults depend on the
/// machine.
std::string runCommand(const RunChoices &choices, const DeviceFacts &facts);

} // namespace jetscope
