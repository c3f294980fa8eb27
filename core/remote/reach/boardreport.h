// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// What a board says of itself (boardscript.h). Texts are plain lines.
struct BoardReport {
    /// Which program it becomes.
    enum class Start : std::uint8_t { Unknown, Installed, Cached, Brought, Nothing };

    std::string machine;                  ///< "aarch64"
    std::string system;                   ///< "Linux"
    std::string libc;                     ///< "glibc 2.35"; empty if it is another one.
    std::string host;                     ///< Its own name.
    std::string l4t;                      ///< First line of /etc/nv_tegra_release; empty if it is no Jetson.
    std::string folder;                   ///< For servers that are brought.
    std::optional<std::uint64_t> freeKib; ///< There.
    std::vector<std::string> installed;   ///< The build ids of its programs; "unknown" of an old one.
    Start start = Start::Unknown;
};

/// "2.35" as 2 and 35; none for other texts.
std::optional<std::pair<int, int>> versionIn(std::string_view text);

/// Reads a report byte by byte, so that nothing is taken of what follows it. The board may be hostile: anything but a
/// report is an error.
class ReportReader {
public:
    /// Whether more bytes are wanted. After Start::Nothing, `goOn` reads the answer to a server that was brought.
    Result<bool> take(char byte);
    void goOn() { m_isComplete = false; }

    bool hasBegun() const { return m_hasBegun; }
    const BoardReport &report() const { return m_report; }
    /// What the login printed before the report.
    const std::string &noise() const { return m_noise; }
    /// Where bringing failed: "space"; empty if it did not.
    const std::string &failure() const { return m_failure; }

private:
    Status takeLine();
    Status takeStart(std::string_view value);

    BoardReport m_report;
    std::string m_line;
    std::string m_noise;
    std::string m_failure;
    std::size_t m_bytes = 0;
    bool m_hasBegun = false;
    bool m_isComplete = false;
};

} // namespace jetscope
