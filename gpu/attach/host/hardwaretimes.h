// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/gpurecords.h"
#include "core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Whether and how CUPTI records in an inspected program.
struct HardwareTimes {
    std::vector<std::string> variables; ///< "NAME=value" for the program's environment; empty if it does not.
    std::string refusal;                ///< Why not, with the remedy; empty if it does.
    std::string version;                ///< Of CUPTI.
    /// Of the first GPU; empty if it is not known.
    std::optional<bool> concurrentManagedAccess{};
    /// How long a trial took; empty if the result of an earlier one was taken, or none was made.
    std::optional<double> trialMs{};
};

/// Whether a trial of CUPTI is made, or its kept result is taken (TrialCache).
enum class TrialUse : std::uint8_t { Kept, Anew };

/// Tries CUPTI in a child process, unless the result of an earlier trial holds; a trial takes as long as creating a
/// CUDA context if there is a driver. `injected` is the library that the driver is to load into the program.
HardwareTimes planHardwareTimes(const Result<std::string> &injected, TrialUse use = TrialUse::Kept);

/// Why CUPTI refused in the program although it was tried before; a sentence with the remedy. Texts of the program are
/// cut.
std::string hardwareRefusal(const AttachGpuProcess &process);
/// What is not recorded although kernels are: "copies", and why.
std::vector<std::pair<std::string, std::string>> hardwareGaps(const AttachGpuProcess &process);

/// What is known about the GPU's work of an inspected program.
struct HardwareReport {
    HardwareTimes plan;
    std::vector<AttachGpuProcess> processes;
    AttachGpuCounts counts;
    std::uint64_t linked = 0;   ///< Pieces of work whose call is known,
    std::uint64_t unlinked = 0; ///< and others.
    bool hasBounds = false;     ///< Some work has no hardware times.

    /// Whether CUPTI recorded in at least one process.
    bool records() const;
    /// Where GPU times come from: "cupti", "bounds" or, without GPU work, "none".
    std::string source() const;
    /// Why CUPTI did not record; empty if it did everywhere.
    std::string refusal() const;
};

} // namespace jetscope
