// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"
#include "core/settings/pipelineconfig.h"

#include <QString>

#include <optional>

namespace jetscope {

/// Choices that remove a hazard.
struct HazardRemedy {
    QString label; ///< "Use EGLSync"
    PipelineConfig config;
};

/// None if the present choices do not cause the hazard.
std::optional<HazardRemedy> remedyFor(RuleId rule, const PipelineConfig &config, const DeviceFacts &facts);

} // namespace jetscope
