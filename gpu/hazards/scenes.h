// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"
#include "core/settings/pipelineconfig.h"

#include <memory>
#include <span>
#include <string_view>

namespace jetscope {

class Device;

/// A classic mistake with shared memory, as a pipeline that makes it: what the ledger then reports, and why.
struct Scene {
    std::string_view name;    ///< As on the command line: "no-sync".
    std::string_view title;   ///< "No synchronization at all"
    std::string_view mistake; ///< What the pipeline does wrong, in one or two sentences.
    std::string_view looks;   ///< How it looks on the timeline and in the picture.
    RuleId rule;              ///< The rule that it breaks.
    /// The choices that show it, made of the present ones.
    PipelineConfig (*choose)(PipelineConfig config);
    /// Makes the mistake, around the device that is watched; null where the choices are the mistake.
    std::unique_ptr<Device> (*decorate)(std::unique_ptr<Device> device);
    bool softwareOnly; ///< It could end the process or the use of a GPU.
};

/// All of them, the simplest first.
std::span<const Scene> scenes();
/// By name; null if there is no such scene.
const Scene *sceneNamed(std::string_view name);
/// Whether the device can show it: its rule is checked there, and the choices are available.
Capability sceneCapability(const Scene &scene, const PipelineConfig &config, const DeviceFacts &facts);

} // namespace jetscope
