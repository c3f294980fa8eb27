// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/textlayout.h"

#include <algorithm>

namespace jetscope {

namespace {

/// Whether a byte is a UTF-8 continuation byte.
bool isContinuation(char c)
{
    constexpr unsigned kMask = 0xc0;
    constexpr unsigned kContinuation = 0x80;
    return (static_cast<unsigned char>(c) & kMask) == kContinuation;
}

} // namespace

std::size_t textWidth(std::string_view text)
{
    return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), isContinuation));
}

std::string padded(std::string_view text, std::size_t width)
{
    const std::size_t used = textWidth(text);
    return std::string(text) + std::string(used < width ? width - used : 1, ' ');
}

std::string rightAligned(std::string_view text, std::size_t width)
{
    const std::size_t used = textWidth(text);
    return std::string(used < width ? width - used : 0, ' ') + std::string(text);
}

std::string hangingParagraph(std::string_view head, std::string_view text, std::size_t indent, std::size_t width)
{
    std::string out;
    std::string line(head);
    if (!line.empty() && textWidth(line) + 1 > indent) {
        out += line + "\n";
        line.clear();
    }
    line = line.empty() ? std::string(indent, ' ') : padded(line, indent);
    bool lineHasWord = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string_view word = text.substr(at, end - at);
        if (lineHasWord && textWidth(line) + 1 + textWidth(word) > width) {
            out += line + "\n";
            line.assign(indent, ' ');
            lineHasWord = false;
        }
        line += (lineHasWord ? " " : "") + std::string(word);
        lineHasWord = true;
        at = end + 1;
    }
    return out + line + "\n";
}

} // namespace jetscope
