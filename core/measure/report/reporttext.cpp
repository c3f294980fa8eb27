// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/reporttext.h"

#include "core/text/utf8.h"

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>

namespace jetscope {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::size_t kMaxBytes = 2000;

/// Calls `add` for every character of `text` that may be shown.
template <class Add>
void eachCharacter(std::string_view text, Add add)
{
    const bool isLong = text.size() > kMaxBytes;
    const std::size_t end = isLong ? kMaxBytes : text.size();
    for (std::size_t at = 0; at < end;) {
        const std::size_t length = characterLength(text.substr(at));
        const std::string_view character = text.substr(at, length == 0 ? 1 : length);
        at += character.size();
        if (character == "\n" || character == "\r" || character == "\t")
            add(" ");
        else if (length == 0 || isControl(character))
            add(kReplacement);
        else
            add(character);
    }
    if (isLong)
        add("…");
}

} // namespace

std::string cleanText(std::string_view text)
{
    std::string clean;
    eachCharacter(text, [&](std::string_view character) { clean += character; });
    return clean;
}

std::string htmlText(std::string_view text)
{
    std::string html;
    eachCharacter(text, [&](std::string_view character) {
        switch (character[0]) {
        case '&':
            html += "&amp;";
            break;
        case '<':
            html += "&lt;";
            break;
        case '>':
            html += "&gt;";
            break;
        case '"':
            html += "&quot;";
            break;
        case '\'':
            html += "&#39;";
            break;
        default:
            html += character;
        }
    });
    return html;
}

std::string markdownText(std::string_view text)
{
    constexpr std::string_view kMarkup = "\\`*_{}[]()#+!|~$@";
    std::string markdown;
    eachCharacter(text, [&](std::string_view character) {
        if (character == "<")
            markdown += "&lt;";
        else if (character == ">")
            markdown += "&gt;";
        else if (character == "&")
            markdown += "&amp;";
        else if (character.size() == 1 && kMarkup.find(character) != std::string_view::npos)
            (markdown += '\\') += character;
        else
            markdown += character;
    });
    return markdown;
}

std::string csvText(std::string_view text)
{
    std::string clean = cleanText(text);
    if (!clean.empty() && std::string_view("=+-@").find(clean.front()) != std::string_view::npos)
        clean.insert(clean.begin(), '\'');
    if (clean.find_first_of(",\"") == std::string::npos)
        return clean;
    std::string quoted = "\"";
    for (const char character : clean) {
        if (character == '"')
            quoted += '"';
        quoted += character;
    }
    return quoted + '"';
}

std::string shortenedText(std::string_view text, std::size_t characters)
{
    std::string shortened;
    std::size_t count = 0;
    eachCharacter(text, [&](std::string_view character) {
        if (++count <= characters)
            shortened += character;
    });
    return count > characters ? shortened + "…" : shortened;
}

std::string shellWord(std::string_view text)
{
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%";
    const std::string clean = cleanText(text);
    if (!clean.empty() && clean.find_first_not_of(kPlain) == std::string::npos)
        return clean;
    std::string quoted = "'";
    for (const char character : clean)
        character == '\'' ? quoted += "'\\''" : quoted += character;
    return quoted + "'";
}

std::string msText(double ms, int decimals)
{
    return fixedText(ms, decimals) + " ms";
}

std::string exactText(double value)
{
    if (!std::isfinite(value))
        return {};
    std::array<char, 40> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end};
}

std::string dateText(std::int64_t unixNs)
{
    constexpr std::int64_t kNsPerSecond = 1'000'000'000;
    const auto seconds = static_cast<std::time_t>(unixNs / kNsPerSecond);
    std::tm parts{};
    std::array<char, 40> text{};
    if (unixNs <= 0 || !gmtime_r(&seconds, &parts)
        || std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts) == 0)
        return {};
    return text.data();
}

} // namespace jetscope
