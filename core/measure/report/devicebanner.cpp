// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/devicebanner.h"

#include "core/settings/capabilitytable.h"
#include "core/settings/settingtable.h"
#include "core/system/databaserows.h"
#include "core/tracefile/tracefile.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace jetscope {

namespace {

constexpr std::size_t kMaxDeviceRows = 500;

struct FactLabel {
    std::string_view name;
    std::string_view label;
};
constexpr auto kFactLabels = std::to_array<FactLabel>({
    {"device_id", "Device ID"},
    {"software", "Software device"},
    {"integrated", "Memory shared with the CPU"},
    {"compute_capability", "Compute capability"},
    {"concurrent_managed_access", "Concurrent managed access"},
    {"pageable_memory_access", "Pageable memory access"},
    {"gpu_time", "GPU times"},
    {"gpu_time_reason", "Source of GPU times"},
    {"trace_cost", "Cost of tracing"},
});

/// Rows that are no facts of the device, or that other parts of a report show.
constexpr std::string_view kElsewhere[] = {"device", "source", "program", "wall_clock_offset_ns", "lost"};

bool isElsewhere(std::string_view name)
{
    const SettingRow *setting = settingOfColumn(name);
    return (setting && !setting->isOfMeasurement)
        || std::find(std::begin(kElsewhere), std::end(kElsewhere), name) != std::end(kElsewhere);
}

std::string labelOf(std::string_view name)
{
    for (const FactLabel &label : kFactLabels)
        if (label.name == name)
            return std::string(label.label);
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    for (const CapabilityRow &row : capabilityTable())
        if (row.key == name)
            words = row.label;
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    return words;
}

} // namespace

Result<DeviceRows> readDeviceRows(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(TraceFile file, TraceFile::open(path));
    if (!file.database().hasTable("device", {"name", "value"}))
        return damagedDatabase(file.database());
    DeviceRows rows;
    JETSCOPE_TRY(
        eachRow(file.database(), "SELECT rowid, name, value FROM device ORDER BY rowid", [&](const Statement &row) {
            rows.emplace_back(row.text(1), row.text(2));
            return rows.size() <= kMaxDeviceRows;
        }));
    return rows;
}

std::string deviceRow(const DeviceRows &rows, std::string_view name)
{
    for (const auto &[key, value] : rows)
        if (key == name)
            return value;
    return {};
}

std::vector<std::pair<std::string, std::string>> bannerRows(const DeviceRows &rows)
{
    std::vector<std::pair<std::string, std::string>> banner;
    for (const auto &[name, value] : rows)
        if (!isElsewhere(name))
            banner.emplace_back(labelOf(name), value);
    return banner;
}

DeviceFacts factsOfRows(const DeviceRows &rows)
{
    const auto yes = [&](std::string_view name) { return deviceRow(rows, name).starts_with("yes"); };
    // Captures of older versions do not have all rows; what they measured was available.
    const auto capability = [&](std::string_view name) {
        const std::string row = deviceRow(rows, name);
        return row.empty() || row.starts_with("yes") ? Capability::yes() : Capability::no(row);
    };
    DeviceFacts facts;
    facts.id = deviceRow(rows, "device_id");
    facts.name = deviceRow(rows, "device");
    facts.software = yes("software");
    facts.integrated = yes("integrated");
    const std::string compute = deviceRow(rows, "compute_capability");
    if (compute.size() >= 3 && compute.size() <= 5)
        if (const std::size_t dot = compute.find('.'); dot != std::string::npos) {
            facts.computeMajor = static_cast<int>(std::strtol(compute.c_str(), nullptr, 10));
            facts.computeMinor = static_cast<int>(std::strtol(compute.c_str() + dot + 1, nullptr, 10));
        }
    facts.concurrentManagedAccess = yes("concurrent_managed_access");
    facts.pageableMemoryAccess = yes("pageable_memory_access");
    for (const CapabilityRow &row : capabilityTable())
        facts.*row.value = capability(row.key);
    return facts;
}

} // namespace jetscope
