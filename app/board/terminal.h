// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/board/topscreen.h"

#include <chrono>
#include <string>
#include <vector>

#include <termios.h>

namespace jetscope {

/// The terminal as a screen that is drawn as a whole: the other screen buffer, without echo and cursor. The destructor
/// restores it. One instance at a time.
class Terminal {
public:
    /// Whether standard input and output are a terminal that can be drawn on.
    static bool isAvailable();
    Terminal();
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    TerminalSize size() const;
    /// False if the terminal is gone.
    bool draw(const std::vector<std::string> &lines);

    enum class Wake { Timeout, Key, Quit };
    /// Waits for a key or for a byte on `interrupt`; "q" and the end of the input mean Quit.
    Wake wait(int interrupt, std::chrono::milliseconds timeout);

private:
    termios m_before{};
    bool m_isRaw = false;
};

} // namespace jetscope
