// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Where `run` stops when nothing is said: most sources never end.
inline constexpr std::uint64_t kDefaultRunFrames = 300;

enum class Command { Window, Run, Convert, Query, Doctor };

/// One setting of the pipeline as applySetting takes it: key and value.
using Setting = std::pair<std::string, std::string>;

/// --at FRAME key=value,…: what changes when that frame begins.
struct SettingsAt {
    std::uint32_t frame = 0;
    std::vector<Setting> settings;
};

/// The command line, checked as far as that is possible without a device. Settings are kept as text because what
/// they leave open depends on the device (and, in the window, on the last session).
struct Options {
    Command command = Command::Window;
    bool help = false;
    bool version = false;
    bool manPage = false;
    bool json = false;

    /// What follows the command: IN and OUT of convert, FILE and SQL of query, the window's FILE if there is one.
    std::vector<std::string> operands;

    std::optional<std::string> source;
    std::optional<std::string> deviceId;
    std::vector<Setting> settings;
    std::optional<std::uint64_t> frames;

    std::vector<SettingsAt> at; ///< In order of frames.
    bool checksum = false;
    bool hazards = false;
    bool tryAdvice = false;
    std::optional<std::string> recordPath;

    std::optional<std::uint64_t> mostSpans; ///< That a trace keeps; of more the newest.

    std::optional<std::string> framesBy; ///< What stands for a frame in a trace of another program.

    std::optional<std::string> screenshotPath;
    std::optional<std::uint64_t> afterFrames;
};

} // namespace jetscope
