// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardidentity.h"
#include "core/platform/allocatable.h"
#include "core/platform/libraries.h"
#include "core/platform/permissions.h"
#include "core/platform/profilingaccess.h"

#include <optional>
#include <string>
#include <vector>

namespace jetscope {

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
