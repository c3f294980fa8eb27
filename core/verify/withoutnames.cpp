// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/verify/withoutnames.h"

#include "core/system/sysfile.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <pwd.h>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

bool isWordByte(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Replaces `word` where it does not stand within another one.
std::string replaceWord(std::string text, std::string_view word, std::string_view by)
{
    if (word.empty())
        return text;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
        const std::size_t end = at + word.size();
        const bool isInside = (at > 0 && isWordByte(word.front()) && isWordByte(text[at - 1]))
            || (end < text.size() && isWordByte(word.back()) && isWordByte(text[end]));
        if (isInside) {
            at = end;
            continue;
        }
        text.replace(at, word.size(), by);
        at += by.size();
    }
    return text;
}

/// The length of an address like "48:b0:2d:00:11:22" at this place; 0 if there is none.
std::size_t addressAt(std::string_view text, std::size_t at)
{
    constexpr std::size_t kBytes = 6;
    constexpr std::size_t kLength = kBytes * 3 - 1;
    if (text.size() - at < kLength || (at > 0 && isWordByte(text[at - 1])))
        return 0;
    const char separator = text[at + 2];
    if (separator != ':' && separator != '-')
        return 0;
    for (std::size_t i = 0; i < kLength; ++i)
        if (i % 3 == 2 ? text[at + i] != separator : std::isxdigit(static_cast<unsigned char>(text[at + i])) == 0)
            return 0;
    return at + kLength < text.size() && isWordByte(text[at + kLength]) ? 0 : kLength;
}

std::string withoutAddresses(std::string_view text)
{
    std::string kept;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = addressAt(text, at);
        kept += length > 0 ? std::string("ADDRESS") : std::string(1, text[at]);
        at += std::max<std::size_t>(length, 1);
    }
    return kept;
}

} // namespace

PrivateWords PrivateWords::ofMachine(const std::string &root)
{
    PrivateWords words;
    if (const passwd *entry = getpwuid(getuid())) {
        words.user = entry->pw_name;
        words.home = entry->pw_dir;
    }
    if (const char *home = std::getenv("HOME"))
        words.home = home;
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) == 0)
        words.host = host.data();
    words.serial = lineOf(root + "/proc/device-tree/serial-number");
    std::erase(words.serial, '\0');
    return words;
}

std::string withoutNames(std::string_view text, const PrivateWords &words)
{
    std::string kept(text);
    if (words.home.size() > 1) // Not "/".
        kept = replaceWord(std::move(kept), words.home, "~");
    kept = replaceWord(std::move(kept), words.serial, "SERIAL");
    kept = replaceWord(std::move(kept), words.host, "HOST");
    if (words.user != "root")
        kept = replaceWord(std::move(kept), words.user, "USER");
    return withoutAddresses(kept);
}

void removeNames(VerifyRow &row, const PrivateWords &words)
{
    row.result.reason = withoutNames(row.result.reason, words);
    for (VerifyFact &fact : row.result.facts)
        fact.found = withoutNames(fact.found, words);
}

void removeNames(VerifiedMachine &machine, const PrivateWords &words)
{
    for (std::string *text : {&machine.board, &machine.module, &machine.kernel})
        *text = withoutNames(*text, words);
}

} // namespace jetscope
