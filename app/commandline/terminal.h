// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <termios.h>

namespace jetscope {

struct TerminalSize {
    std::size_t columns = 80;
    std::size_t rows = 24;
};

/// Writes bytes to standard output as they are; false if it is gone.
bool writeToTerminal(std::string_view text);

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

    static TerminalSize size();

    /// False if the terminal is gone.
    static bool draw(const std::vector<std::string> &lines);

    enum class Wake { Timeout, Key, Quit };
    /// Waits for a key or for a byte on `interrupt`; "q" and the end of the input mean Quit.
    static Wake wait(int interrupt, std::chrono::milliseconds timeout);

private:
    termios m_before{};
    bool m_isRaw = false;
};

} // namespace jetscope
