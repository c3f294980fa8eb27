// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/permissions.h"

#include "core/platform/smallfile.h"
#include "core/system/sysfile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace jetscope {

namespace {

/// Nodes in `folder` whose names begin with `prefix`.
struct NodeRow {
    const char *folder;
    const char *prefix;
    const char *pattern;
    const char *purpose;
    const char *group; ///< The group that has access by NVIDIA's or the distribution's rules.
    const char *absent;
    bool isForProfiling = false;
};

constexpr const char *kJetsonOnly = "only a Jetson has them; in a container they must be passed in (--runtime nvidia)";
constexpr std::array<NodeRow, 9> kNodes = {{
    {"dev", "video", "/dev/video*", "cameras (V4L2)", "video", "no camera with a V4L2 driver is connected"},
    {"dev", "nvmap", "/dev/nvmap", "memory of the integrated GPU: CUDA fails with code 999 without it", "video",
     kJetsonOnly},
    {"dev", "nvhost-", "/dev/nvhost-*", "engines of the chip", "video", kJetsonOnly},
    {"dev/nvgpu/igpu0", "", "/dev/nvgpu/igpu0/*", "the integrated GPU (L4T 35 and later)", "video", kJetsonOnly},
    {"dev", "host1x-fence", "/dev/host1x-fence", "fences between engines (L4T 36 and later)", "video", kJetsonOnly},
    {"dev/dri", "renderD", "/dev/dri/render*", "OpenGL ES and buffers without a window", "render",
     "no kernel driver of a GPU offers one"},
    {"dev", "nvidia", "/dev/nvidia*", "CUDA on a discrete GPU or on Thor", "video",
     "no driver of an NVIDIA GPU is loaded, or the container was started without the GPU"},
    {"dev", "nvhost-prof-gpu", "/dev/nvhost-prof-gpu", "profiling by CUPTI (L4T 32 to 35)", "video", kJetsonOnly, true},
    {"dev/nvgpu/igpu0", "prof", "/dev/nvgpu/igpu0/prof*", "profiling by CUPTI (L4T 35 and later)", "video", kJetsonOnly,
     true},
}};

/// Names and members of groups, from etc/group. Lines that are none are skipped.
class GroupFile {
public:
    explicit GroupFile(const std::string &root)
    {
        const Result<std::string> text = readSmallFile(root, "etc/group");
        if (!text.ok()) {
            m_reason = text.error().text;
            return;
        }
        std::string_view rest = text.value();
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            take(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }

    const std::string &reason() const { return m_reason; } ///< Why there are no groups; empty if there are.
    std::optional<std::uint32_t> number(const std::string &name) const
    {
        const auto found = m_numbers.find(name);
        return found == m_numbers.end() ? std::nullopt : std::optional(found->second);
    }
    /// Empty if the number has no name of plain characters.
    std::string name(std::uint32_t number) const
    {
        for (const auto &[name, value] : m_numbers)
            if (value == number)
                return name;
        return {};
    }

private:
    /// "video:x:44:user"
    void take(std::string_view line)
    {
        constexpr std::size_t kMaxName = 32;
        const std::size_t nameEnd = line.find(':');
        const std::size_t numberAt = nameEnd == std::string_view::npos ? nameEnd : line.find(':', nameEnd + 1);
        if (numberAt == std::string_view::npos || nameEnd == 0 || nameEnd > kMaxName)
            return;
        const std::string_view name = line.substr(0, nameEnd);
        const bool isPlain = std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
        std::uint32_t number = 0;
        const char *const end = line.data() + line.size();
        if (isPlain && std::from_chars(line.data() + numberAt + 1, end, number).ec == std::errc())
            m_numbers.emplace(name, number);
    }

    std::map<std::string, std::uint32_t> m_numbers;
    std::string m_reason;
};

bool mayUse(const std::string &path, const struct stat &facts, const std::string &root, const UserIdentity &user)
{
    if (root == "/")
        return ::access(path.c_str(), R_OK | W_OK) == 0;
    if (user.user == 0)
        return true;
    const unsigned shift = facts.st_uid == user.user ? 6 : user.isIn(facts.st_gid) ? 3 : 0;
    constexpr unsigned kReadAndWrite = 6;
    return ((facts.st_mode >> shift) & kReadAndWrite) == kReadAndWrite;
}

std::string joinCommand(const std::string &group)
{
    return "sudo usermod -aG " + group + " $USER";
}

/// What gives access to a node: membership of its group if the group has access, otherwise a rule.
void explainDenied(NodeAccess &access, const NodeRow &row, const struct stat &facts, const GroupFile &groups,
                   const UserIdentity &user)
{
    constexpr unsigned kGroupMay = 060;
    const std::string group = groups.name(facts.st_gid);
    const std::string first = access.denied.front();
    if ((facts.st_mode & kGroupMay) != kGroupMay || facts.st_gid == 0) {
        access.reason = first + " is for " + (facts.st_uid == 0 ? "root" : "its owner")
            + " only: a rule of udev must give it to the group " + row.group;
        access.command = std::string("sudo chgrp ") + row.group + " " + first + " && sudo chmod 660 " + first;
    } else if (group.empty()) {
        access.reason = first
            + " belongs to a group without a name: pass the group into the container with --group-add "
            + std::to_string(facts.st_gid);
    } else if (user.isIn(facts.st_gid)) {
        access.reason = first + " is refused although this user is in the group " + group
            + ": a container must be started with the device";
    } else {
        access.reason = first + " is for the group " + group + ": join it, then log in again";
        access.command = joinCommand(group);
    }
}

NodeAccess accessOf(const NodeRow &row, const std::string &root, const GroupFile &groups, const UserIdentity &user)
{
    NodeAccess access;
    access.pattern = row.pattern;
    access.purpose = row.purpose;
    access.isForProfiling = row.isForProfiling;
    struct stat firstDenied = {};
    for (const std::string &path : entriesOf(pathBelow(root, row.folder), row.prefix)) {
        struct stat facts = {};
        if (::stat(path.c_str(), &facts) != 0 || S_ISDIR(facts.st_mode))
            continue;
        ++access.found;
        if (mayUse(path, facts, root, user))
            continue;
        if (access.denied.empty())
            firstDenied = facts;
        access.denied.push_back("/" + std::string(row.folder) + path.substr(path.rfind('/')));
    }
    access.state = access.found == 0 ? NodeAccess::State::Absent
        : access.denied.empty()      ? NodeAccess::State::Allowed
                                     : NodeAccess::State::Denied;
    if (access.state == NodeAccess::State::Absent)
        access.reason = row.absent;
    if (access.state == NodeAccess::State::Denied)
        explainDenied(access, row, firstDenied, groups, user);
    return access;
}

} // namespace

UserIdentity UserIdentity::ofProcess()
{
    UserIdentity identity;
    identity.user = ::geteuid();
    const int count = ::getgroups(0, nullptr);
    std::vector<gid_t> groups(static_cast<std::size_t>(std::max(0, count)));
    const int got = ::getgroups(static_cast<int>(groups.size()), groups.data());
    groups.resize(static_cast<std::size_t>(std::max(0, got)));
    groups.push_back(::getegid());
    identity.groups.assign(groups.begin(), groups.end());
    return identity;
}

bool UserIdentity::isIn(std::uint32_t group) const
{
    return std::find(groups.begin(), groups.end(), group) != groups.end();
}

std::vector<NodeAccess> nodeAccess(const std::string &root, const UserIdentity &user)
{
    const GroupFile groups(root);
    std::vector<NodeAccess> all;
    for (const NodeRow &row : kNodes)
        all.push_back(accessOf(row, root, groups, user));
    return all;
}

std::vector<GroupMembership> groupMembership(const std::string &root, const UserIdentity &user)
{
    const GroupFile groups(root);
    std::vector<GroupMembership> all;
    for (const char *name : {"video", "render"}) {
        GroupMembership membership;
        membership.group = name;
        const std::optional<std::uint32_t> number = groups.number(name);
        if (number) {
            membership.isMember = user.isIn(*number);
            if (!*membership.isMember && user.user == 0) {
                membership.reason = "root needs no group";
            } else if (!*membership.isMember) {
                membership.reason = "this user is not in it: join it, then log in again";
                membership.command = joinCommand(name);
            }
        } else {
            membership.reason = groups.reason().empty() ? "this system has no such group" : groups.reason();
        }
        all.push_back(std::move(membership));
    }
    return all;
}

} // namespace jetscope
