// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/cpumodel.h"

#include <array>

namespace jetscope {

namespace {

/// The value of the first line "key : value"; empty if there is none.
std::string_view valueOf(std::string_view text, std::string_view key)
{
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        const std::size_t colon = line.find(": ");
        if (line.starts_with(key) && colon != std::string_view::npos
            && line.substr(key.size(), colon - key.size()).find_first_not_of(" \t") == std::string_view::npos)
            return line.substr(colon + 2);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return {};
}

struct ArmCore {
    std::string_view implementer;
    std::string_view part;
    std::string_view name;
};
/// The cores of Jetson boards and of common servers (MIDR_EL1: Arm's and NVIDIA's manuals).
constexpr std::array<ArmCore, 8> kArmCores{{
    {"0x41", "0xd07", "Arm Cortex-A57"},
    {"0x4e", "0x003", "NVIDIA Denver 2"},
    {"0x4e", "0x004", "NVIDIA Carmel"},
    {"0x41", "0xd42", "Arm Cortex-A78AE"},
    {"0x41", "0xd83", "Arm Neoverse V3AE"},
    {"0x41", "0xd08", "Arm Cortex-A72"},
    {"0x41", "0xd0c", "Arm Neoverse N1"},
    {"0x41", "0xd4f", "Arm Neoverse V2"},
}};

} // namespace

std::string cpuModelOf(std::string_view cpuinfo, std::string_view boardModel)
{
    if (const std::string_view model = valueOf(cpuinfo, "model name"); !model.empty())
        return std::string(model);
    if (!boardModel.empty())
        return std::string(boardModel);
    const std::string_view implementer = valueOf(cpuinfo, "CPU implementer");
    const std::string_view part = valueOf(cpuinfo, "CPU part");
    for (const ArmCore &core : kArmCores)
        if (core.implementer == implementer && core.part == part)
            return std::string(core.name);
    if (!implementer.empty() && !part.empty())
        return "an Arm CPU (implementer " + std::string(implementer) + ", part " + std::string(part) + ")";
    return "this CPU";
}

} // namespace jetscope
