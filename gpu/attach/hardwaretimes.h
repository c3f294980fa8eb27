// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/gpurecords.h"
#include "core/result.h"

#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Whether and how CUPTI records in an inspected program.
struct HardwareTimes {
    std::vector<std::string> variables; ///< "NAME=value" for the program's environment; empty if it does not.
    std::string refusal;                ///< Why not, with the remedy; empty if it does.
    std::string version;                ///< Of CUPTI.
};

/// Tries CUPTI in a child process; takes as long as creating a CUDA context if there is a driver. `injected` is the
/// library that the driver is to load into the program.
HardwareTimes planHardwareTimes(const Result<std::string> &injected);

/// Why CUPTI refused in the program although it was tried before; a sentence with the remedy. Texts of the program are
/// cut.
std::string hardwareRefusal(const AttachGpuProcess &process);
/// What is not recorded although kernels are: "copies", and why.
std::vector<std::pair<std::string, std::string>> hardwareGaps(const AttachGpuProcess &process);

} // namespace jetscope
