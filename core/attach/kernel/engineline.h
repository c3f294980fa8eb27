// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/kernel/tracedevents.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

/// What an event of host1x, nvhost or nvgpu says about an engine's work (core/attach/kernel/tracedevents.h names the
/// sources of the formats).
struct EngineEvent {
    jsa_traced_use use = JSA_TRACED_VALUE;
    std::string_view engine;                ///< The device's name, a part of the line; empty of a value.
    std::optional<std::uint32_t> channel;   ///< Of the GPU.
    std::optional<std::uint32_t> syncpoint; ///< By number of the system.
    /// The value that the syncpoint has once the work is complete, or has now; it goes around.
    std::optional<std::uint32_t> value;
};

/// `arguments`: what stands behind the event's name in the line. Empty if the line is damaged.
std::optional<EngineEvent> parseEngineEvent(jsa_traced_use use, std::string_view arguments);

} // namespace jetscope
