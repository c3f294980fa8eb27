// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/platformfacts.h"

#include "core/platform/smallfile.h"
#include "core/system/sysfile.h"
#include "core/text/parsenumber.h"

#include <algorithm>
#include <limits>

namespace jetscope {

namespace {

constexpr const char *kOpenCommand = "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee "
                                     "/etc/modprobe.d/jetscope-profiling.conf && sudo update-initramfs -u";

/// The digit behind "name" and one of "=:", as a flag; none if the name does not occur with 0 or 1.
std::optional<bool> flagIn(std::string_view text, std::string_view name)
{
    std::optional<bool> flag;
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t line = text.rfind('\n', at) + 1; // npos + 1 is 0.
        if (text.substr(line, at - line).find('#') != std::string_view::npos)
            continue;
        const std::size_t value = text.find_first_not_of(" \t", at + name.size());
        if (value == std::string_view::npos || (text[value] != '=' && text[value] != ':'))
            continue;
        const std::size_t digit = text.find_first_not_of(" \t", value + 1);
        if (digit != std::string_view::npos && (text[digit] == '0' || text[digit] == '1'))
            flag = text[digit] == '1';
    }
    return flag;
}

ProfilingAccess accessFrom(bool adminOnly, std::string reason)
{
    return {adminOnly ? ProfilingAccess::State::AdminOnly : ProfilingAccess::State::Open, std::move(reason),
            adminOnly ? kOpenCommand : ""};
}

/// The value of a line "Name:   123 kB".
std::optional<std::uint64_t> fieldOf(std::string_view line)
{
    constexpr std::uint64_t kUnit = 1024;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::optional<std::uint64_t> value = takeNumber<std::uint64_t>(line);
    if (!value || !(line == " kB" || line == " kB\r") || *value > std::numeric_limits<std::int64_t>::max() / kUnit)
        return std::nullopt;
    return *value * kUnit;
}

} // namespace

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

ProfilingAccess profilingAccess(const std::string &root)
{
    const Result<std::string> parameters = readSmallFile(root, "proc/driver/nvidia/params");
    if (parameters.ok())
        if (const auto adminOnly = flagIn(parameters.value(), "RmProfilingAdminOnly"))
            return accessFrom(*adminOnly, "RmProfilingAdminOnly of the driver that is loaded");
    for (const std::string &path : entriesOf(pathBelow(root, "etc/modprobe.d"))) {
        const std::string name = path.substr(pathBelow(root, "").size() - 1);
        const Result<std::string> text = readSmallFile(root, name);
        if (!text.ok() || !name.ends_with(".conf"))
            continue;
        if (const auto adminOnly = flagIn(text.value(), "NVreg_RestrictProfilingToAdminUsers"))
            return accessFrom(*adminOnly,
                              "NVreg_RestrictProfilingToAdminUsers in " + name + ", in force from the next start on");
    }
    return {ProfilingAccess::State::Unknown,
            parameters.ok() ? "/proc/driver/nvidia/params has no RmProfilingAdminOnly" : parameters.error().text,
            {}};
}

MemoryFields parseMemoryFields(std::string_view meminfo)
{
    MemoryFields fields;
    while (!meminfo.empty()) {
        const std::size_t end = std::min(meminfo.find('\n'), meminfo.size());
        const std::string_view line = meminfo.substr(0, end);
        meminfo.remove_prefix(std::min(end + 1, meminfo.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos)
            continue;
        const std::string_view name = line.substr(0, colon);
        std::optional<std::uint64_t> *const field = name == "MemTotal" ? &fields.total
            : name == "MemFree"                                        ? &fields.free
            : name == "SwapFree"                                       ? &fields.swapFree
            : name == "NvMapMemUsed"                                   ? &fields.deviceAllocated
                                                                       : nullptr;
        if (field)
            *field = fieldOf(line.substr(colon + 1));
    }
    return fields;
}

Result<AllocatableMemory> allocatableMemory(const MemoryFields &fields)
{
    if (!fields.deviceAllocated)
        return sentence("/proc/meminfo has no NvMapMemUsed, the memory that devices already have: this kernel is not "
                        "that of a Jetson, or too old");
    if (!fields.total || !fields.free || !fields.swapFree)
        return sentence("/proc/meminfo has no MemTotal, MemFree or SwapFree that can be read");
    const std::uint64_t used = *fields.total - std::min(*fields.free, *fields.total);
    AllocatableMemory memory;
    memory.deviceAllocated = *fields.deviceAllocated;
    memory.swapFree = *fields.swapFree;
    memory.hostAllocated = used - std::min(memory.deviceAllocated, used);
    memory.allocatable = memory.hostAllocated < memory.swapFree
        ? *fields.total - std::min(memory.deviceAllocated, *fields.total)
        : *fields.total - std::min(memory.hostAllocated - memory.swapFree, *fields.total);
    return memory;
}

Result<AllocatableMemory> allocatableMemory(const std::string &root)
{
    JETSCOPE_TRY_ASSIGN(const std::string text, readSmallFile(root, "proc/meminfo"));
    return allocatableMemory(parseMemoryFields(text));
}

} // namespace jetscope
