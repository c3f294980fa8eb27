// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/profilingaccess.h"

#include "core/platform/smallfile.h"
#include "core/system/sysfile.h"

#include <optional>
#include <string_view>

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

} // namespace

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

} // namespace jetscope
