// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Texts of other programs are cut off at this length: they are displayed in one line.
inline constexpr std::size_t kMaxTextBytes = 2000;

/// The beginning of a text, cut at a UTF-8 character boundary.
inline std::string_view shortText(std::string_view text, std::size_t mostBytes = kMaxTextBytes)
{
    if (text.size() <= mostBytes)
        return text;
    std::size_t size = mostBytes;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U)
        --size;
    return text.substr(0, size);
}

/// The text without a number at its end and without the separator before it: "ProfilerStep" of "ProfilerStep#12".
inline std::string_view withoutNumber(std::string_view text)
{
    const std::size_t last = text.find_last_not_of("0123456789");
    text = last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
    const std::size_t word = text.find_last_not_of(" #:_-=./[](");
    return word == std::string_view::npos ? text : text.substr(0, word + 1);
}

/// ASCII only, whatever the locale: for names in files and protocols.
inline std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    for (char &c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

/// ASCII only.
inline std::string capitalized(std::string text)
{
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

/// "1 frame", "2 frames".
inline std::string counted(std::uint64_t number, std::string_view what)
{
    return std::to_string(number) + " " + std::string(what) + (number == 1 ? "" : "s");
}

inline std::string joined(const std::vector<std::string> &parts, std::string_view separator)
{
    std::string text;
    for (const std::string &part : parts)
        text.append(text.empty() ? "" : separator).append(part);
    return text;
}

/// User input in double quotes for an error message: one line, shortened if long.
inline std::string quotedWords(std::string_view text)
{
    constexpr std::size_t kMaxBytes = 120;
    const std::string_view kept = shortText(text, kMaxBytes);
    std::string out = "\"";
    for (const char c : kept) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte < 0x20 || byte == 0x7f ? '?' : c;
    }
    return out + (kept.size() < text.size() ? "…\"" : "\"");
}

} // namespace jetscope
