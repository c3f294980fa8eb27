// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/platformfacts.h"

namespace jetscope {

PlatformFacts readPlatform(const std::string &root, const UserIdentity &user)
{
    PlatformFacts facts;
    facts.board = readBoardIdentity(root == "/" ? "" : root); // Its reasons name paths below the root.
    facts.nodes = nodeAccess(root, user);
    facts.groups = groupMembership(root, user);
    facts.profiling = profilingAccess(root);
    facts.libraries = findLibraries(root);
    facts.dlas = countDlas(root);
    const Result<AllocatableMemory> memory = allocatableMemory(root);
    if (memory.ok())
        facts.allocatable = memory.value();
    else
        facts.allocatableReason = memory.error().text;
    return facts;
}

} // namespace jetscope
