// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/probe/keptprobes.h"

#include "core/measure/probe/probejson.h"

#include "core/system/newfile.h"
#include "core/text/texthash.h"

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace jetscope {

namespace {

std::string variableOr(const char *name, const char *otherwise)
{
    const char *value = std::getenv(name);
    return value && *value == '/' ? value : otherwise;
}

} // namespace

std::string userDataFolder()
{
    if (const std::string data = variableOr("XDG_DATA_HOME", ""); !data.empty())
        return data + "/jetscope";
    const std::string home = variableOr("HOME", "");
    return home.empty() ? "" : home + "/.local/share/jetscope";
}

std::string keptProbePath(const std::string &folder, const DeviceFacts &device)
{
    std::string name;
    for (const char letter : device.id)
        name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '-';
    return folder + "/probes/" + name + "-" + std::to_string(textHash(device.name)) + ".json";
}

Status keepProbe(const ProbeTable &table, const std::string &folder)
{
    if (folder.empty())
        return sentence("the probe cannot be kept: neither XDG_DATA_HOME nor HOME is set");
    std::error_code code;
    std::filesystem::create_directories(folder + "/probes", code);
    if (code)
        return sentence("the probe cannot be kept in " + folder + ": " + code.message());
    return replaceFile(keptProbePath(folder, table.device),
                       [&table](const std::string &place) { return writeProbe(table, place); });
}

Result<std::optional<ProbeTable>> keptProbe(const DeviceFacts &device, const std::string &folder)
{
    const std::string path = keptProbePath(folder, device);
    std::error_code code;
    if (folder.empty() || !std::filesystem::exists(path, code))
        return std::optional<ProbeTable>();
    JETSCOPE_TRY_ASSIGN(ProbeTable table, readProbe(path));
    if (table.device.name != device.name)
        return std::optional<ProbeTable>();
    return std::optional(std::move(table));
}

} // namespace jetscope
