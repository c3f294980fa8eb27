// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// The user whose permissions are judged.
struct UserIdentity {
    std::uint32_t user = 0;
    std::vector<std::uint32_t> groups; ///< The primary one, too.

    /// The user and the groups of this process.
    static UserIdentity ofProcess();
    bool isIn(std::uint32_t group) const;
};

/// Device nodes of one purpose and whether the user may open them.
struct NodeAccess {
    enum class State : std::uint8_t { Allowed, Denied, Absent };
    std::string pattern; ///< "/dev/video*"
    std::string purpose; ///< "cameras (V4L2)"
    bool isForProfiling = false;
    State state = State::Absent;
    int found = 0;
    std::vector<std::string> denied; ///< Nodes that the user may not read and write.
    std::string reason;              ///< Why nodes are denied or absent; empty if all are allowed.
    std::string command;             ///< The command that gives access; empty if there is none.
};

/// Whether the user is in a group that owns device nodes.
struct GroupMembership {
    std::string group;            ///< "video"
    std::optional<bool> isMember; ///< Empty if unknown.
    std::string reason;           ///< Why not, or why it is unknown.
    std::string command;          ///< The command that adds the user; empty if it is not needed or cannot help.
};

/// Node files below `root` are judged by their mode and owner; on the machine itself (root "/") the kernel is asked,
/// since access lists count there, too.
std::vector<NodeAccess> nodeAccess(const std::string &root, const UserIdentity &user);
/// The groups video and render, from etc/group below `root`.
std::vector<GroupMembership> groupMembership(const std::string &root, const UserIdentity &user);

} // namespace jetscope
