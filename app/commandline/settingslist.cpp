// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/settingslist.h"

#include "app/commandline/textlayout.h"

#include <algorithm>
#include <cassert>

namespace jetscope {

bool isSet(const std::vector<Setting> &settings, std::string_view key)
{
    return std::any_of(settings.begin(), settings.end(),
                       [key](const Setting &setting) { return setting.first == key; });
}

Result<std::vector<Setting>> parseSettings(std::string_view list)
{
    std::vector<Setting> settings;
    PipelineConfig trial;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const std::string_view pair = list.substr(at, end - at);
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos)
            return sentence(quotedWords(pair) + " is no setting: write key=value, as in memory=pinned,sync=event");
        const std::string_view key = pair.substr(0, equals);
        const std::string_view value = pair.substr(equals + 1);
        JETSCOPE_TRY(applySetting(trial, key, value));
        if (isSet(settings, key))
            return sentence(std::string(key) + " is given twice in " + quotedWords(list) + ": keep one of them");
        settings.emplace_back(key, value);
        at = end + 1;
    }
    return settings;
}

PipelineConfig withSettings(PipelineConfig config, const std::vector<Setting> &settings)
{
    for (const auto &[key, value] : settings) {
        const Status applied = applySetting(config, key, value);
        assert(applied.ok());
        static_cast<void>(applied);
    }
    return config;
}

} // namespace jetscope
