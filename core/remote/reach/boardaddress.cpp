// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/reach/boardaddress.h"

#include "core/text/utf8.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>

namespace jetscope {

namespace {

constexpr std::string_view kScheme = "ssh://";
constexpr std::size_t kLongest = 300;

/// ssh puts the address into commands of the user's configuration (ProxyCommand), so no character of the shell is
/// taken.
bool isHarmless(char c)
{
    constexpr std::string_view kOthers = "._:%@+-[]/";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
        || kOthers.find(c) != std::string_view::npos;
}

/// BOARD of "[USER@]BOARD", or of the same with a port behind it.
std::string_view nameIn(std::string_view text)
{
    const bool mayHavePort = text.starts_with(kScheme);
    if (mayHavePort)
        text.remove_prefix(kScheme.size());
    if (const auto at = text.rfind('@'); at != std::string_view::npos)
        text.remove_prefix(at + 1);
    if (text.starts_with('[') && text.find(']') != std::string_view::npos)
        return text.substr(1, text.find(']') - 1);
    return mayHavePort ? text.substr(0, text.find_first_of(":/")) : text;
}

/// Of "ssh://[USER@]BOARD[:PORT][/]", 1 to 65535. ssh answers others with its whole usage.
bool hasPossiblePort(std::string_view text)
{
    if (!text.starts_with(kScheme))
        return true;
    const std::size_t colon = text.rfind(':');
    const std::string_view behind = text.substr(colon + 1, text.find('/', colon + 1) - colon - 1);
    if (colon < kScheme.size() || text.find(']', colon) != std::string_view::npos)
        return true; // None, or a part of an IPv6 address.
    unsigned port = 0;
    const auto [end, error] = std::from_chars(behind.data(), behind.data() + behind.size(), port);
    return error == std::errc() && end == behind.data() + behind.size() && port >= 1 && port <= 65535;
}

} // namespace

Result<BoardAddress> BoardAddress::parse(std::string_view text)
{
    const std::string shown = isPlainLine(text) && text.size() <= kLongest ? " \"" + std::string(text) + "\"" : "";
    const std::string_view name = nameIn(text);
    if (name.empty() || text.size() > kLongest || text.starts_with('-') || name.starts_with('-')
        || !std::all_of(text.begin(), text.end(), isHarmless))
        return sentence("this is no address of a board" + shown
                        + ": give [USER@]BOARD as you would to ssh, or ssh://[USER@]BOARD:PORT");
    if (!hasPossiblePort(text))
        return sentence("the port of the board's address" + shown
                        + " is none: give ssh://[USER@]BOARD:PORT with a port "
                          "from 1 to 65535");
    return BoardAddress(std::string(text), std::string(name));
}

std::vector<std::string> sshCommand(const BoardAddress &board, const std::string &script)
{
    std::vector<std::string> command{"ssh"};
    if (const char *const other = std::getenv("JETSCOPE_SSH"); other && *other)
        command = {"/bin/sh", "-c", "exec " + std::string(other) + " \"$@\"", "sh"};
    for (const char *const word :
         {"-T", "-x", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3", "-o", "ConnectTimeout=15", "--"})
        command.emplace_back(word);
    command.push_back(board.text());
    command.push_back(script);
    return command;
}

} // namespace jetscope
