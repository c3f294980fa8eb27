// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/terminal.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view kLeave = "\x1b[?25h\x1b[?1049l";
constexpr std::size_t kMaxColumns = 1000;

} // namespace

bool writeToTerminal(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written <= 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool Terminal::isAvailable()
{
    const char *kind = std::getenv("TERM");
    return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 && kind && std::string_view(kind) != "dumb";
}

Terminal::Terminal()
{
    if (tcgetattr(STDIN_FILENO, &m_before) == 0) {
        termios raw = m_before;
        raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO); // Ctrl-C remains a signal.
        m_isRaw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
    }
    writeToTerminal(kEnter);
}

Terminal::~Terminal()
{
    writeToTerminal(kLeave);
    if (m_isRaw)
        tcsetattr(STDIN_FILENO, TCSANOW, &m_before);
}

TerminalSize Terminal::size()
{
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return {};
    return {std::min<std::size_t>(size.ws_col, kMaxColumns), std::min<std::size_t>(size.ws_row, kMaxColumns)};
}

bool Terminal::draw(const std::vector<std::string> &lines)
{
    std::string text = "\x1b[H";
    for (std::size_t i = 0; i < lines.size(); ++i)
        text += (i > 0 ? "\r\n" : "") + lines[i] + "\x1b[K";
    return writeToTerminal(text + "\x1b[J");
}

Terminal::Wake Terminal::wait(int interrupt, std::chrono::milliseconds timeout)
{
    std::array<pollfd, 2> sources{{{STDIN_FILENO, POLLIN, 0}, {interrupt, POLLIN, 0}}};
    if (poll(sources.data(), sources.size(), static_cast<int>(timeout.count())) <= 0)
        return Wake::Timeout;
    if (sources[1].revents != 0)
        return Wake::Quit;
    char key = 0;
    if (::read(STDIN_FILENO, &key, 1) != 1 || key == 'q' || key == 'Q')
        return Wake::Quit;
    return Wake::Key;
}

} // namespace jetscope
