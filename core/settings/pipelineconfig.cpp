// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/settingtable.h"

namespace jetscope {

std::string quotedValue(std::string_view value)
{
    constexpr std::size_t kMax = 40;
    std::string out = "'";
    for (const char c : value.substr(0, kMax))
        out += c >= ' ' && c <= '~' ? c : '?';
    return out + (value.size() > kMax ? "…'" : "'");
}

std::vector<Filter> defaultFilters()
{
    return {Filter::Gaussian5, Filter::Sobel};
}

Status applySetting(PipelineConfig &config, std::string_view key, std::string_view value)
{
    if (const SettingRow *row = settingRow(key))
        return row->set(config, value);
    return sentence("A setting must be one of " + settingKeys() + ", not " + quotedValue(key) + ".");
}

std::string filterNames(const std::vector<Filter> &filters, std::string_view separator)
{
    if (filters.empty())
        return "none";
    std::string names;
    for (const Filter filter : filters) {
        if (!names.empty())
            names += separator;
        names += nameOf(filter);
    }
    return names;
}

std::string describeChange(const PipelineConfig &from, const PipelineConfig &to)
{
    std::string changes;
    for (const SettingRow &row : settingTable()) {
        const std::string before = row.text(from, "+");
        const std::string after = row.text(to, "+");
        if (before == after)
            continue;
        if (!changes.empty())
            changes += ", ";
        changes.append(row.key).append(": ").append(before).append(" → ").append(after);
    }
    return changes;
}

} // namespace jetscope
