// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/capturename.h"

#include "core/text/utf8.h"

#include <ctime>

namespace jetscope {

namespace {

constexpr std::string_view kEnding = ".jscope";
constexpr std::size_t kLongestName = 200;
constexpr std::size_t kLongestSource = 40;

} // namespace

bool isCaptureName(std::string_view name)
{
    return name.size() > kEnding.size() && name.size() <= kLongestName && name.ends_with(kEnding) && name[0] != '.'
        && name.find('/') == std::string_view::npos && isPlainLine(name);
}

std::string captureNameFor(std::string_view source)
{
    // What may be secret in an address, the user and what is asked for, does not get into a name.
    source = source.substr(0, source.find('?'));
    std::string words;
    if (const std::size_t at = source.rfind('@'); at != std::string_view::npos)
        source.remove_prefix(at + 1);
    for (const char letter : source) {
        const bool isPlain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
            || (letter >= '0' && letter <= '9') || letter == '.';
        if (isPlain)
            words += letter;
        else if (!words.empty() && words.back() != '-')
            words += '-';
    }
    words = words.substr(0, kLongestSource);
    while (!words.empty() && (words.back() == '-' || words.back() == '.'))
        words.pop_back();
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    char date[64];
    std::strftime(date, sizeof date, "%Y-%m-%d_%H-%M-%S", &local);
    return date + (words.empty() ? std::string() : "_" + words) + std::string(kEnding);
}

Error noSuchCapture(std::string_view name)
{
    return sentence("there is no capture \"" + std::string(name.substr(0, 100)) + "\" on the board");
}

} // namespace jetscope
