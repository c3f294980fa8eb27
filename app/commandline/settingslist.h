// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/result.h"
#include "core/settings/pipelineconfig.h"

#include <string_view>
#include <vector>

namespace jetscope {

/// Whether the settings contain this key.
bool isSet(const std::vector<Setting> &settings, std::string_view key);

/// Parses "key=value,key=value" and checks every pair. Filters are joined by '+' here.
Result<std::vector<Setting>> parseSettings(std::string_view list);

/// Applies `settings` to `config`. Cannot fail, because they were checked by parseSettings.
PipelineConfig withSettings(PipelineConfig config, const std::vector<Setting> &settings);

} // namespace jetscope
