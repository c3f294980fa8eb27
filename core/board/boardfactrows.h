// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Names of rows of the table `device` of a capture that say on which board it was recorded.
inline constexpr const char *kBoardIdFact = "board_id"; ///< A hash of the serial number, else of the machine's id.
inline constexpr const char *kBoardSocFact = "board_soc";
inline constexpr const char *kBoardJetpackFact = "board_jetpack"; ///< "none" if this is no Jetson.
inline constexpr const char *kBoardKernelFact = "board_kernel";
inline constexpr const char *kBoardBootFact = "board_boot_id"; ///< A hash of the kernel's number of this start.

/// These rows, as far as they are known. Names and numbers of a board are hashed: a capture is given to others. Reads
/// below `root`: "/" except in tests. Takes milliseconds.
std::vector<std::pair<std::string, std::string>> boardFactRows(const std::string &root = "/");

} // namespace jetscope
