// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/reach/boardaddress.h"
#include "core/result.h"

#include <string>
#include <string_view>

namespace jetscope {

/// How far a connection came.
enum class LinkStage {
    Opening, ///< Nothing came from the board yet.
    Open,    ///< The report of the board came.
};

/// Why a connection ended, as a sentence with the remedy and what ssh said. `exitCode` is that of ssh, `said` its
/// standard error, `printed` what came on standard output in place of an answer.
Error sshFailure(const BoardAddress &board, LinkStage stage, int exitCode, std::string_view said,
                 std::string_view printed = {});

/// Text of a far program in one line that a terminal cannot take for commands; the end of a long one.
std::string quotedRemark(std::string_view text);

} // namespace jetscope
