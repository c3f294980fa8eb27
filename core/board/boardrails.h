// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Which measured rails make the total power of a board, told from the names of its rails.
struct BoardRails {
    std::string board;               ///< "Jetson AGX Orin"; empty if no row of the table has these rails.
    std::vector<std::string> summed; ///< Rails that make the total, each measured; empty without any rail.
    std::string meaning;             ///< What the total is of, and what it leaves out: a sentence without full stop.
    std::string_view source;         ///< Where that is documented; empty for an unknown board.
    bool mayCountTwice = false;      ///< One of the rails may feed another one.
};

/// `rails`: names as the board or tegrastats gives them, in any order: "VDD_IN", "NC".
BoardRails railsOf(std::span<const std::string> rails);

/// Whether a name stands for an input of the monitor that nothing is connected to.
bool isUnusedRail(std::string_view rail);

} // namespace jetscope
