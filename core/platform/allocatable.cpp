// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/allocatable.h"

#include "core/platform/smallfile.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace jetscope {

namespace {

/// The value of a line "Name:   123 kB".
std::optional<std::uint64_t> fieldOf(std::string_view line)
{
    constexpr std::uint64_t kUnit = 1024;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    const std::string_view unit(end, static_cast<std::size_t>(line.data() + line.size() - end));
    if (error != std::errc() || !(unit == " kB" || unit == " kB\r")
        || value > std::numeric_limits<std::int64_t>::max() / kUnit)
        return std::nullopt;
    return value * kUnit;
}

} // namespace

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
