// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/pipelineconfig.h"
#include "core/result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Keys and values of applySetting, in order.
using SettingValues = std::vector<std::pair<std::string, std::string>>;

inline constexpr const char *kDefaultSource = "synthetic:?size=1280x720&fps=60";

/// What to open: where frames come from, what processes them and how.
struct SessionRequest {
    std::string source = kDefaultSource;
    std::string deviceId;  ///< Empty: the best one.
    PipelineConfig config; ///< A wish; the nearest that the device has is taken.
    SettingValues fixed;        ///< Asked for explicitly: taken exactly or not at all.
    std::uint64_t frameLimit = 0;
    bool asksFirst = false; ///< The source is opened only when the user says so.
};

/// The configuration to open on a device with these facts. The error says which fixed setting the device does not have.
Result<PipelineConfig> resolveConfig(const SessionRequest &request, const DeviceFacts &facts);

/// What was asked for, whatever the device will say to it: the wish with the fixed settings over it.
PipelineConfig askedConfig(const SessionRequest &request);

/// Whether an error of resolveConfig: what was asked for on the command line is impossible.
bool isImpossibleRequest(const Error &error);

/// What a session that asks first fails with, and whether an error is that.
Error questionOf(const SessionRequest &request);
bool isQuestion(const Error &error);

/// The settings that make up a configuration, as applySetting takes them.
SettingValues settingsOf(const PipelineConfig &config);

} // namespace jetscope
