// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace jetscope {

/// The program for boards with one kind of processor, as packaging/board makes it: an archive, and a text about it.
struct BoardServer {
    std::string archivePath;
    std::string build;        ///< See buildId().
    std::string architecture; ///< "arm64"
    std::string glibc;        ///< The oldest one that it runs with: "2.34".
    bool hasCuda = false;
    std::uint64_t bytes = 0;
    std::string sha256; ///< Of the archive.
};

/// The content of its text, read strictly. The path is not in it.
Result<BoardServer> parseBoardServer(std::string_view text);

/// Debian's name of a processor that `uname -m` names; empty if there is none that Jetscope is built for.
std::string architectureOf(std::string_view machine);

/// The server that lies beside this program, or is installed: a sentence with the remedy if there is none. The folder
/// JETSCOPE_BOARDS in the environment is taken in place of these places. `board` names the board in the sentence.
Result<BoardServer> findBoardServer(const std::string &architecture, const std::string &board);

} // namespace jetscope
