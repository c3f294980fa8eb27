// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/reach/sshfailure.h"

#include "core/text/utf8.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

constexpr int kOfSsh = 255;    ///< Exit code of ssh for errors of its own.
constexpr int kNotFound = 127; ///< Of a shell that finds no program.
constexpr int kNotRun = 126;   ///< Of a shell that may not run it.
constexpr std::size_t kMostRemark = 600;

/// What ssh writes, and what that means. BOARD stands for the address, NAME for its name. The first that fits counts.
struct Cause {
    std::string_view words;
    std::string_view meaning;
};
constexpr std::array kCauses{
    Cause{"REMOTE HOST IDENTIFICATION HAS CHANGED",
          "NAME has another host key than last time: if it was installed anew, \"ssh-keygen -R NAME\" forgets the old "
          "key; if not, someone may be in between"},
    Cause{"Host key verification failed",
          "the host key of NAME is not known yet: \"ssh BOARD\" in a terminal shows it and asks whether it is right"},
    Cause{"Could not resolve hostname",
          "the name NAME is not known here: check its spelling, or give its IP address or a Host of ~/.ssh/config"},
    Cause{"Connection refused",
          "NAME is there, but no ssh server answers: on the board \"sudo systemctl enable --now ssh\", or check the "
          "port"},
    Cause{"No route to host", "there is no way to NAME: check its power, its network and its address"},
    Cause{"Network is unreachable", "there is no way to the network of NAME: check the network of this machine"},
    Cause{
        "Connection timed out",
        "NAME does not answer: check its power, its network and its address, and whether a firewall lets ssh through"},
    Cause{"Operation timed out", "NAME does not answer: check its power, its network and its address"},
    Cause{"Too many authentication failures",
          "NAME refused after too many keys were tried: name the right one by IdentityFile and IdentitiesOnly in "
          "~/.ssh/config"},
    Cause{"UNPROTECTED PRIVATE KEY FILE",
          "ssh does not use a key that others may read: \"chmod 600\" on the file that it names"},
    Cause{"Permission denied",
          "NAME does not let this user in: \"ssh-copy-id BOARD\" brings your key there, and \"ssh "
          "BOARD\" must work without Jetscope"},
    Cause{"Bad owner or permissions",
          "ssh refuses a file of its configuration: \"chmod 600\" on the file that it names"},
    Cause{"Bad configuration option", "ssh does not understand its configuration: correct the line that it names"},
    Cause{"terminating, ", "ssh does not understand its configuration: correct the line that it names"},
    Cause{"not responding", "the connection to NAME was lost: nothing came from it for 15 s"},
    Cause{"timed out during banner exchange", "what answers at the port of NAME is no ssh server: check the port"},
    Cause{"kex_exchange_identification",
          "NAME closed the connection before the login: its ssh server may have too many logins at once; try again"},
    Cause{"Connection closed", "NAME closed the connection: its log says why (\"journalctl -u ssh\" there)"},
    Cause{"Connection reset", "the connection to NAME was cut: try again"},
    Cause{"closed by remote host", "the connection to NAME was cut: it may have been restarted; try again"},
    Cause{"Broken pipe", "the connection to NAME was cut: try again"},
    Cause{"mux_client", "the shared connection to NAME failed: \"ssh -O exit BOARD\" ends it, then try again"},
};

std::string filledIn(std::string_view text, const BoardAddress &board)
{
    std::string filled(text);
    const auto replaceAll = [&filled](std::string_view word, const std::string &by) {
        for (std::size_t at = filled.find(word); at != std::string::npos; at = filled.find(word, at + by.size()))
            filled.replace(at, word.size(), by);
    };
    replaceAll("BOARD", board.text());
    replaceAll("NAME", board.name());
    return filled;
}

std::string meaningOf(const BoardAddress &board, LinkStage stage, int exitCode, std::string_view said)
{
    for (const Cause &cause : kCauses)
        if (exitCode == kOfSsh && said.find(cause.words) != std::string_view::npos)
            return filledIn(cause.meaning, board);
    if (exitCode == kOfSsh)
        return filledIn(stage == LinkStage::Open ? "the connection to NAME was cut: try again"
                                                 : "ssh could not connect to NAME: \"ssh -v BOARD\" says more",
                        board);
    if (stage == LinkStage::Open)
        return filledIn("the program on NAME ended in the middle of its work (exit code ", board)
            + std::to_string(exitCode) + "): try again";
    if (exitCode == kNotFound || exitCode == kNotRun)
        return filledIn("the login on NAME finds no shell \"sh\": it needs a POSIX sh in its PATH", board);
    return filledIn("the login on NAME ran no command (exit code ", board) + std::to_string(exitCode)
        + filledIn("): \"ssh BOARD uname -m\" must print one line", board);
}

} // namespace

std::string quotedRemark(std::string_view text)
{
    std::string line;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t length = std::max<std::size_t>(1, characterLength(rest));
        const std::string_view character = rest.substr(0, length);
        const bool isBlank = isControl(character) || character == " " || characterLength(rest) == 0;
        if (!isBlank)
            line += character;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
        rest.remove_prefix(length);
    }
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
    if (line.size() <= kMostRemark)
        return line;
    std::size_t first = line.size() - kMostRemark;
    while (first < line.size() && (static_cast<unsigned char>(line[first]) & 0xc0U) == 0x80U)
        ++first; // The middle of a character.
    return "… " + line.substr(first);
}

Error sshFailure(const BoardAddress &board, LinkStage stage, int exitCode, std::string_view said,
                 std::string_view printed)
{
    std::string text = meaningOf(board, stage, exitCode, said);
    if (const std::string remark = quotedRemark(said); !remark.empty())
        text += "; ssh says: " + remark;
    if (const std::string remark = quotedRemark(printed); !remark.empty())
        text += "; the login prints: " + remark;
    return Error{"ssh", exitCode, text};
}

} // namespace jetscope
