// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/tasktracker.h"

#include <algorithm>
#include <cctype>

namespace jetscope {

namespace {

constexpr std::size_t kMaxTrackedLine = 4096;
constexpr std::size_t kMaxTrackedText = 1000; ///< A kernel of templates has a long name.
constexpr std::size_t kMostTracked = 100;
constexpr std::size_t kLinesOfOne = 8;

bool isWordByte(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.';
}

/// The word behind `label` and what separates it: "hwChannelId: 507", "launchPC [0x206e8c200]".
std::string valueBehind(std::string_view line, std::string_view label)
{
    std::size_t at = line.find(label);
    if (at == std::string_view::npos)
        return {};
    at += label.size();
    while (at < line.size() && !isWordByte(line[at]))
        ++at;
    std::size_t end = at;
    while (end < line.size() && isWordByte(line[end]) && end - at < kMaxTrackedText)
        ++end;
    return std::string(line.substr(at, end - at));
}

/// The first word that is a name of the C++ compiler.
std::string mangledNameIn(std::string_view line)
{
    for (std::size_t at = line.find("_Z"); at != std::string_view::npos; at = line.find("_Z", at + 1))
        if (at == 0 || !isWordByte(line[at - 1]))
            return valueBehind(line.substr(at), "");
    return {};
}

bool isNumber(const std::string &text)
{
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

} // namespace

void TaskTrackerText::add(std::string_view bytes)
{
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, end);
        m_line += piece.substr(0, kMaxTrackedLine - std::min(kMaxTrackedLine, m_line.size()));
        if (end == std::string_view::npos)
            return;
        takeLine(m_line);
        m_line.clear();
        bytes.remove_prefix(end + 1);
    }
}

void TaskTrackerText::takeLine(std::string_view line)
{
    const std::string name = mangledNameIn(line);
    std::string channel = valueBehind(line, "hwChannelId");
    std::string pc = valueBehind(line, "launchPC");
    std::string stream = valueBehind(line, "tream"); // "stream", "Stream", "streamId"
    if (stream == "Id" || stream == "ID")
        stream = valueBehind(line, "tream" + stream);
    channel = isNumber(channel) ? channel : std::string();
    pc = isNumber(pc) ? pc : std::string();
    stream = isNumber(stream) ? stream : std::string();
    // A second value of a field is that of the next kernel.
    const auto differs = [](const std::string &have, const std::string &now) {
        return !have.empty() && !now.empty() && have != now;
    };
    if (++m_openLines > kLinesOfOne || differs(m_open.name, name) || differs(m_open.channel, channel)
        || differs(m_open.pc, pc))
        close();
    const bool isOpen = m_open != TrackedKernel();
    if (name.empty() && channel.empty() && pc.empty() && !isOpen)
        return;
    if (!isOpen)
        m_openLines = 1;
    const auto take = [](std::string &field, std::string value) {
        if (!value.empty())
            field = std::move(value);
    };
    take(m_open.name, name);
    take(m_open.channel, std::move(channel));
    take(m_open.pc, std::move(pc));
    take(m_open.stream, std::move(stream));
    if (m_open.name.empty() || (m_open.channel.empty() && m_open.pc.empty()))
        return;
    // Known so far; a later line may add to it.
    const auto same = std::find_if(m_kernels.begin(), m_kernels.end(), [this](const TrackedKernel &each) {
        return each.name == m_open.name
            && (each.channel.empty() || m_open.channel.empty() || each.channel == m_open.channel)
            && (each.pc.empty() || m_open.pc.empty() || each.pc == m_open.pc);
    });
    if (same != m_kernels.end()) {
        take(same->channel, m_open.channel);
        take(same->pc, m_open.pc);
        take(same->stream, m_open.stream);
    } else if (m_kernels.size() < kMostTracked) {
        m_kernels.push_back(m_open);
    }
}

void TaskTrackerText::close()
{
    m_open = {};
    m_openLines = 0;
}

} // namespace jetscope
