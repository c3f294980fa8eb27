// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A power mode of nvpmodel: "15W" with its number.
struct PowerMode {
    int id = 0;
    std::string name;
    bool operator==(const PowerMode &) const = default;
};

/// The power modes of a board.
struct PowerModes {
    std::vector<PowerMode> modes;
    std::optional<int> defaultId;

    /// "15W (2)"; "2" if the table lacks the mode.
    std::string textOf(int id) const;
    bool operator==(const PowerModes &) const = default;
};

/// /etc/nvpmodel.conf: the lines "< POWER_MODEL ID=2 NAME=15W >" and "< PM_CONFIG DEFAULT=2 >". Other lines, cut lines
/// and lines that make no sense are left out; the first of two modes with one number is kept.
PowerModes parsePowerModes(std::string_view text);

/// /var/lib/nvpmodel/status: "pmode:0002". Empty for anything else.
std::optional<int> parsePowerModeStatus(std::string_view text);

} // namespace jetscope
