// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardrails.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

using Rails = std::span<const std::string>;

constexpr std::size_t kMostSummed = 6;

/// A board is the first row all of whose `has` are there and none of whose `lacks`.
struct RailRow {
    std::string_view board;
    std::array<std::string_view, kMostSummed> has;
    std::array<std::string_view, 2> lacks;
    std::array<std::string_view, kMostSummed> summed;
    std::string_view meaning;
    std::string_view source;
};

constexpr std::string_view kWholeModule = "VDD_IN is the input of the module; the other rails are parts of it";
constexpr std::string_view kModuleSource =
    "NVIDIA, forums.developer.nvidia.com/t/200883: VDD_IN is the total power of the module";

// The table is what NVIDIA and jetson_stats say; none of it was measured by the authors of Jetscope.
constexpr auto kRailRows = std::to_array<RailRow>({
    {"Jetson AGX Thor",
     {"VDD_GPU", "VDD_CPU_SOC_MSS", "VIN"},
     {},
     {"VIN"},
     "VIN is measured at the input of the carrier board; the other rails are parts of it",
     "NVIDIA, forums.developer.nvidia.com/t/366461: its monitor measures the total input of module and carrier board"},
    {"Jetson AGX Thor",
     {"VDD_GPU", "VDD_CPU_SOC_MSS", "VIN_SYS_5V0"},
     {},
     {"VDD_GPU", "VDD_CPU_SOC_MSS", "VIN_SYS_5V0"},
     "sum of the three inputs of the module, without the carrier board",
     "NVIDIA, forums.developer.nvidia.com/t/366461: without VIN the three inputs of the module are left"},
    {"Jetson AGX Orin",
     {"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"},
     {},
     {"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"},
     "sum of the three inputs of the module, without the carrier board; VDDQ_VDD2_1V8AO is not added: nobody says "
     "whether VIN_SYS_5V0 feeds it",
     "jetson_stats issue 344; NVIDIA, forums.developer.nvidia.com/t/217088"},
    {"Jetson AGX Xavier",
     {"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"},
     {},
     {"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"},
     "sum of the six inputs of the module, without the carrier board",
     "NVIDIA DG-09840-001 5.6.2; forums.developer.nvidia.com/t/75574 and /81016; jetson_stats issue 51"},
    {"Jetson Nano",
     {"POM_5V_IN"},
     {},
     {"POM_5V_IN"},
     "POM_5V_IN is the input of the board; the other rails are parts of it",
     "NVIDIA, forums.developer.nvidia.com/t/73608; jetson_stats issue 51"},
    {"Jetson TX2", {"VDD_IN", "VDD_SYS_SOC"}, {}, {"VDD_IN"}, kWholeModule, "jetson_stats issue 51"},
    {"Jetson TX2 NX",
     {"VDD_IN", "VDD_CPU", "VDD_GPU", "VDD_SOC"},
     {},
     {"VDD_IN"},
     kWholeModule,
     "jetson_stats issue 51"},
    {"Jetson TX1", {"VDD_IN", "VDD_CPU", "VDD_GPU"}, {}, {"VDD_IN"}, kWholeModule, "jetson_stats issue 51"},
    {"Jetson Orin Nano, Orin NX or Xavier NX",
     {"VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC"},
     {},
     {"VDD_IN"},
     kWholeModule,
     kModuleSource},
    {"", {"VDD_IN"}, {}, {"VDD_IN"}, kWholeModule, kModuleSource},
    {"a PC with a discrete GPU",
     {"GPU", "CPU package-0"},
     {"SOC"},
     {"GPU", "CPU package-0"},
     "the graphics card and the package of the processor; nothing else of the machine is measured",
     "NVML and the kernel's powercap"},
    {"a machine with a discrete GPU",
     {"GPU"},
     {"SOC"},
     {"GPU"},
     "the graphics card only; nothing else of the machine is measured",
     "NVML"},
});

bool hasRail(Rails rails, std::string_view wanted)
{
    return std::find(rails.begin(), rails.end(), wanted) != rails.end();
}

bool fits(const RailRow &row, Rails rails)
{
    const auto isThere = [&](std::string_view name) { return name.empty() || hasRail(rails, name); };
    const auto isAbsent = [&](std::string_view name) { return name.empty() || !hasRail(rails, name); };
    return std::all_of(row.has.begin(), row.has.end(), isThere)
        && std::all_of(row.lacks.begin(), row.lacks.end(), isAbsent);
}

} // namespace

bool isUnusedRail(std::string_view rail)
{
    return rail.empty() || rail == "NC" || rail.starts_with("NC ");
}

BoardRails railsOf(Rails rails)
{
    BoardRails found;
    for (const RailRow &row : kRailRows) {
        if (!fits(row, rails))
            continue;
        found.board = row.board;
        for (const std::string_view rail : row.summed)
            if (!rail.empty())
                found.summed.emplace_back(rail);
        found.meaning = row.meaning;
        found.source = row.source;
        return found;
    }
    for (const std::string &rail : rails)
        if (!isUnusedRail(rail))
            found.summed.push_back(rail);
    found.mayCountTwice = found.summed.size() > 1;
    if (found.mayCountTwice)
        found.meaning = "the sum of these rails, which may count twice: it is not known which of them feeds another";
    else if (!found.summed.empty())
        found.meaning = "this rail only; it is not known what it feeds";
    return found;
}

} // namespace jetscope
