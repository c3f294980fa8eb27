// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardidentity.h"
#include "core/platform/libraries.h"
#include "core/platform/permissions.h"
#include "core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The fields of /proc/meminfo that decide how much memory an integrated GPU can get. Bytes; empty if the file does not
/// have the field or its value is no number.
struct MemoryFields {
    std::optional<std::uint64_t> total;
    std::optional<std::uint64_t> free;
    std::optional<std::uint64_t> swapFree;
    std::optional<std::uint64_t> deviceAllocated; ///< NvMapMemUsed.
};
MemoryFields parseMemoryFields(std::string_view meminfo);

/// An estimate after the CUDA for Tegra note, "Estimating Total Allocatable Device Memory on an Integrated GPU Device".
/// It counts what the kernel can move to swap, which cudaMemGetInfo does not.
struct AllocatableMemory {
    std::uint64_t allocatable = 0;
    std::uint64_t hostAllocated = 0;
    std::uint64_t deviceAllocated = 0;
    std::uint64_t swapFree = 0;
};
/// An error says which field is missing.
Result<AllocatableMemory> allocatableMemory(const MemoryFields &fields);
/// Reads proc/meminfo below `root`.
Result<AllocatableMemory> allocatableMemory(const std::string &root);

/// Whether the driver lets users without administrator rights profile the GPU.
struct ProfilingAccess {
    enum class State : std::uint8_t { Open, AdminOnly, Unknown };
    State state = State::Unknown;
    std::string reason;  ///< Where it was read, or why it is unknown.
    std::string command; ///< The command that opens it, to be followed by a restart; empty if not needed or unknown.
};

/// Reads the driver's parameter RmProfilingAdminOnly, else NVreg_RestrictProfilingToAdminUsers of its configuration,
/// below `root`.
ProfilingAccess profilingAccess(const std::string &root);

/// What files say of a machine. Nothing here was tried on a Jetson: paths follow NVIDIA's documents.
struct PlatformFacts {
    BoardIdentity board;
    std::vector<NodeAccess> nodes;
    std::vector<GroupMembership> groups;
    ProfilingAccess profiling;
    std::vector<LibraryFact> libraries;
    DlaCount dlas;
    std::optional<AllocatableMemory> allocatable;
    std::string allocatableReason; ///< Why it is unknown; empty if it is known.
};

/// Reads below `root`: "/" except with --sysroot and in tests. Takes some milliseconds; any thread.
PlatformFacts readPlatform(const std::string &root = "/", const UserIdentity &user = UserIdentity::ofProcess());

} // namespace jetscope
