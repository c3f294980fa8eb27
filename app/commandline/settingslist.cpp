// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/settingslist.h"

#include "app/commandline/textlayout.h"
#include "core/text/parsenumber.h"
#include "gpu/sources/severaladdress.h"

#include <algorithm>

namespace jetscope {

Result<GivenSettings> GivenSettings::parse(std::string_view list)
{
    GivenSettings settings;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const std::string_view pair = list.substr(at, end - at);
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos)
            return sentence(quotedWords(pair) + " is no setting: write key=value, as in memory=pinned,sync=event");
        const std::string_view key = pair.substr(0, equals);
        const bool isAgain = settings.has(key);
        JETSCOPE_TRY(settings.set(key, pair.substr(equals + 1)));
        if (isAgain)
            return sentence(std::string(key) + " is given twice in " + quotedWords(list) + ": keep one of them");
        at = end + 1;
    }
    return settings;
}

Status GivenSettings::set(std::string_view key, std::string_view value)
{
    JETSCOPE_TRY(applySetting(m_values, key, value));
    if (!has(key))
        m_rows.push_back(settingRow(key));
    return {};
}

bool GivenSettings::has(std::string_view key) const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [key](const SettingRow *row) { return row->key == key; });
}

PipelineConfig GivenSettings::over(PipelineConfig config) const
{
    for (const SettingRow *row : m_rows)
        row->copy(m_values, config);
    return config;
}

std::vector<std::pair<std::string, std::string>> GivenSettings::texts() const
{
    std::vector<std::pair<std::string, std::string>> texts;
    for (const SettingRow *row : m_rows)
        texts.emplace_back(row->key, row->text(m_values));
    return texts;
}

Result<GivenSettings> settingsWithCamera(std::string list, std::optional<std::size_t> &camera)
{
    constexpr std::string_view kCamera = "camera=";
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const std::string pair = list.substr(at, end - at);
        const std::size_t from = std::exchange(at, end + 1);
        if (!pair.starts_with(kCamera))
            continue;
        if (camera)
            return sentence("camera is given twice for one frame: keep one of them");
        const auto number = parseNumber<std::size_t>(pair.substr(kCamera.size()), 1, SeveralAddress::kMost);
        if (!number)
            return sentence(quotedWords(pair) + " is no camera: give its number among the sources, from 1");
        camera = *number - 1;
        list.erase(from > 0 ? from - 1 : 0, pair.size() + (from > 0 || end < list.size() ? 1 : 0));
        at = from;
    }
    return camera && list.empty() ? Result<GivenSettings>(GivenSettings()) : GivenSettings::parse(list);
}

} // namespace jetscope
