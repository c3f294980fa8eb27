// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/reach/boardserver.h"

#include "core/remote/reach/boardreport.h"
#include "core/system/module.h"
#include "core/system/regularfile.h"
#include "core/text/parsenumber.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "jetscope-server 1";
constexpr std::size_t kMostText = 4096;
constexpr std::size_t kHashDigits = 64;

bool isHash(std::string_view text)
{
    return text.size() == kHashDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// "0.1.0-0123456789ab"; no more than that, because it names a folder.
bool isBuild(std::string_view text)
{
    return !text.empty() && text.size() <= kHashDigits && text.front() >= '0' && text.front() <= '9'
        && text.find_first_not_of("0123456789abcdef.-") == std::string_view::npos;
}

Error badText()
{
    return sentence("the text of the server for boards is damaged: install the package again");
}

Status takeField(BoardServer &server, std::string_view key, std::string_view value)
{
    if (key == "build" && isBuild(value))
        server.build = value;
    else if (key == "architecture" && (value == "arm64" || value == "amd64"))
        server.architecture = value;
    else if (key == "glibc" && versionIn(value))
        server.glibc = value;
    else if (key == "cuda" && (value == "yes" || value == "no"))
        server.hasCuda = value == "yes";
    else if (const auto bytes = parseNumber<std::uint64_t>(value, 1, std::uint64_t{1} << 32); key == "bytes" && bytes)
        server.bytes = *bytes;
    else if (key == "sha256" && isHash(value))
        server.sha256 = value;
    else
        return badText();
    return {};
}

std::vector<std::string> serverFolders()
{
    if (const char *const given = std::getenv("JETSCOPE_BOARDS"); given && *given)
        return {given};
    const std::string program = programFolder();
    return {program + "/boards", (fs::path(program) / "../lib/jetscope/boards").lexically_normal().string()};
}

} // namespace

Result<BoardServer> parseBoardServer(std::string_view text)
{
    BoardServer server;
    std::size_t number = 0;
    for (; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (number == 0 && line != kFirstLine)
            return badText();
        const std::size_t blank = line.find(' ');
        if (number > 0 && (blank == std::string_view::npos || !isPlainLine(line)))
            return badText();
        if (number > 0)
            JETSCOPE_TRY(takeField(server, line.substr(0, blank), line.substr(blank + 1)));
    }
    if (server.build.empty() || server.architecture.empty() || server.glibc.empty() || server.bytes == 0
        || server.sha256.empty())
        return badText();
    return server;
}

std::string architectureOf(std::string_view machine)
{
    if (machine == "aarch64" || machine == "arm64")
        return "arm64";
    return machine == "x86_64" || machine == "amd64" ? "amd64" : "";
}

Result<BoardServer> findBoardServer(const std::string &architecture, const std::string &board)
{
    for (const std::string &folder : serverFolders()) {
        const fs::path place = fs::path(folder) / architecture;
        const std::string text = (place / "server.txt").string();
        std::error_code unknown;
        if (!fs::exists(text, unknown))
            continue;
        JETSCOPE_TRY_ASSIGN(const std::string content, readRegularFile(text, kMostText));
        JETSCOPE_TRY_ASSIGN(BoardServer server, parseBoardServer(content));
        server.archivePath = (place / "server.tar.gz").string();
        if (server.architecture != architecture || fs::file_size(server.archivePath, unknown) != server.bytes
            || unknown)
            return sentence("the server for boards in " + place.string() + " is damaged: install the package again");
        return server;
    }
    const std::string package = "jetscope-board-" + architecture;
    return sentence(board
                    + " has no jetscope of this build, and this machine has none to bring there: here \"sudo apt "
                      "install ./"
                    + package + "_VERSION_all.deb\", or on the board \"sudo apt install ./jetscope-headless_VERSION_"
                    + architecture + ".deb\", with the VERSION of this program");
}

} // namespace jetscope
