// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/interrupt.h"
#include "app/remote/boardcommand.h"
#include "core/remote/reach/boardaddress.h"

#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// Reaches a board, with its progress on standard error, and starts the command. `away` is told when the board is away.
Result<std::unique_ptr<BoardCommand>> startOnBoard(const BoardAddress &board, CommandPlan plan,
                                                   const Interrupt &interrupt, BoardCommand::AwayWatch away);

/// `top` of boards: their screens side by side in a terminal, else lines that begin with the name of the board, or have
/// it under "board" in JSON. Returns the exit code.
int topOnBoards(const std::vector<BoardAddress> &boards, const CommandPlan &plan, const Interrupt &interrupt);

/// Screens, each of lines of text with colours, as columns of one; none is wider than its part.
std::vector<std::string> sideBySide(const std::vector<std::vector<std::string>> &screens, std::size_t width);

/// One line of `top` of this board: a JSON object gets the key "board".
std::string lineOfBoard(const std::string &board, const std::string &line);

} // namespace jetscope
