// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"

#include <QJsonObject>

namespace jetscope {

/// Every setting under its column (core/settings/settingtable.h): counts are numbers, all others texts.
QJsonObject settingsJson(const PipelineConfig &config);

} // namespace jetscope
