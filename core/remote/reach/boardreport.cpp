// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/reach/boardreport.h"

#include "core/remote/reach/boardscript.h"
#include "core/text/parsenumber.h"
#include "core/text/utf8.h"

#include <array>

namespace jetscope {

namespace {

constexpr std::size_t kMostNoise = 64 * 1024;
constexpr std::size_t kMostReport = 16 * 1024;
constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostInstalled = 8;

struct TextField {
    std::string_view key;
    std::string BoardReport::*member;
};
constexpr std::array kTexts{
    TextField{"machine", &BoardReport::machine}, TextField{"system", &BoardReport::system},
    TextField{"libc", &BoardReport::libc},       TextField{"host", &BoardReport::host},
    TextField{"l4t", &BoardReport::l4t},         TextField{"folder", &BoardReport::folder},
};

struct StartWord {
    std::string_view word;
    BoardReport::Start start;
};
constexpr std::array kStarts{
    StartWord{"installed", BoardReport::Start::Installed},
    StartWord{"cached", BoardReport::Start::Cached},
    StartWord{"brought", BoardReport::Start::Brought},
    StartWord{"nothing", BoardReport::Start::Nothing},
};

Error notAReport(const std::string &what)
{
    return sentence("the answer of the board is not understood (" + what
                    + "): is there a POSIX sh, and does \"ssh BOARD uname -m\" print one line?");
}

} // namespace

std::optional<std::pair<int, int>> versionIn(std::string_view text)
{
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    const auto major = parseNumber<int>(text.substr(0, dot), 0, 1000);
    const auto minor = parseNumber<int>(text.substr(dot + 1, text.find('.', dot + 1) - dot - 1), 0, 1000);
    if (!major || !minor)
        return std::nullopt;
    return std::pair{*major, *minor};
}

Result<bool> ReportReader::take(char byte)
{
    if (++m_bytes > kMostNoise + kMostReport)
        return notAReport("it does not end");
    if (byte != '\n') {
        m_line += byte;
        if (m_hasBegun && m_line.size() > kLongestLine)
            return notAReport("a line of it does not end");
    } else if (m_hasBegun) {
        JETSCOPE_TRY(takeLine());
        m_line.clear();
    } else if (m_line == kReportMarker) {
        m_hasBegun = true;
        m_bytes = kMostNoise;
        m_line.clear();
    } else {
        m_noise += m_line + "\n";
        m_line.clear();
    }
    if (!m_hasBegun && m_bytes > kMostNoise)
        return notAReport("the login prints more than 64 KiB");
    return !m_isComplete;
}

Status ReportReader::takeLine()
{
    if (!isPlainLine(m_line))
        return notAReport("a line has control characters");
    const std::string_view line(m_line);
    const std::size_t blank = line.find(' ');
    const std::string_view key = line.substr(0, blank);
    const std::string_view value = blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
    if (key == "start")
        return takeStart(value);
    if (key == "failed" && m_report.start == BoardReport::Start::Nothing && !value.empty()) {
        m_failure = value;
        m_isComplete = true;
        return {};
    }
    if (m_report.start != BoardReport::Start::Unknown)
        return notAReport("it has lines behind its end");
    for (const TextField &field : kTexts)
        if (field.key == key) {
            m_report.*field.member = value;
            return {};
        }
    if (key == "free") {
        m_report.freeKib = parseNumber<std::uint64_t>(value, 0, std::uint64_t{1} << 50);
        return {};
    }
    if (key == "installed" && m_report.installed.size() < kMostInstalled) {
        m_report.installed.emplace_back(value);
        return {};
    }
    return notAReport("it has an unknown line");
}

Status ReportReader::takeStart(std::string_view value)
{
    const bool asked = m_report.start == BoardReport::Start::Nothing;
    if (m_report.start != BoardReport::Start::Unknown && !asked)
        return notAReport("it starts twice");
    for (const StartWord &row : kStarts)
        if (row.word == value && asked == (row.start == BoardReport::Start::Brought)) {
            m_report.start = row.start;
            m_isComplete = true;
            return {};
        }
    return notAReport("it does not say what it starts");
}

} // namespace jetscope
