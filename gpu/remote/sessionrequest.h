// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/attach/host/inspection.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Keys and values for applySetting, in order.
using SettingValues = std::vector<std::pair<std::string, std::string>>;

inline constexpr const char *kDefaultSource = "synthetic:?size=1280x720&fps=60";

/// What to open: source, device and configuration.
struct SessionRequest {
    std::string source = kDefaultSource;
    std::string deviceId;  ///< Empty for the best device.
    PipelineConfig config; ///< Preferred; the nearest legal configuration of the device is used.
    SettingValues fixed;   ///< Explicitly requested; used exactly or rejected.
    std::uint64_t frameLimit = 0;
    bool asksFirst = false; ///< Open the source only after the user has confirmed it.
    std::string scene{};    ///< The mistake to show (gpu/hazards/scenes.h); empty for none. Never stored.
    /// The program to inspect instead of a source. Never stored, so that no program runs unasked.
    std::optional<ProgramWish> program{};
};

/// Configuration to open on a device with these facts. The error identifies the fixed setting that the device does not
/// have.
Result<PipelineConfig> resolveConfig(const SessionRequest &request, const DeviceFacts &facts);

/// The requested configuration without regard to the device: `config` overridden by `fixed`.
PipelineConfig askedConfig(const SessionRequest &request);

/// Whether an error is from resolveConfig: the command line requests something impossible.
bool isImpossibleRequest(const Error &error);

/// The error of a request with asksFirst, and a check for it.
Error questionOf(const SessionRequest &request);
bool isQuestion(const Error &error);

/// Settings of a configuration in the form that applySetting takes.
SettingValues settingsOf(const PipelineConfig &config);

} // namespace jetscope
