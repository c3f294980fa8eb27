// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "app/commandline/terminal.h"
#include "core/board/boardidentity.h"
#include "core/board/boardsampler.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jetscope {

/// The values of a machine for a terminal of this size: one line of text for each row of the screen, none longer than
/// its width. What does not fit is counted in the last line. `title` names the machine.
std::vector<std::string> topScreen(const std::string &title, const BoardLayout &layout, const BoardState &state,
                                   TerminalSize size, bool colour);

/// The same in one line, without bars: for logs.
std::string topLine(const BoardLayout &layout, const BoardState &state);

/// One line of `top --json`. `unixNs` is the time of the reading.
JsonObject topJson(const BoardIdentity &identity, const BoardLayout &layout, const BoardState &state,
                   std::int64_t unixNs);

} // namespace jetscope
