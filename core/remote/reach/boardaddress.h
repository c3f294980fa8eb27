// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Where a board is, as ssh takes it: [USER@]BOARD or ssh://[USER@]BOARD[:PORT]. BOARD may be a name of the user's
/// configuration of ssh.
class BoardAddress {
public:
    /// Refuses what ssh or a shell of its configuration could take for something else.
    static Result<BoardAddress> parse(std::string_view text);

    const std::string &text() const { return m_text; }
    /// BOARD alone, which names the board to the user.
    const std::string &name() const { return m_name; }

    bool operator==(const BoardAddress &) const = default;

private:
    BoardAddress(std::string text, std::string name) : m_text(std::move(text)), m_name(std::move(name)) {}

    std::string m_text;
    std::string m_name;
};

/// The program with which `script` is run by the shell of the board: the user's ssh, without a terminal there, which
/// notices within 15 s that the board is gone. JETSCOPE_SSH in the environment is a command line in place of "ssh"; it
/// gets the same arguments.
std::vector<std::string> sshCommand(const BoardAddress &board, const std::string &script);

} // namespace jetscope
