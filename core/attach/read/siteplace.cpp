// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/siteplace.h"

#include <array>
#include <cinttypes>
#include <cstdio>

namespace jetscope {

namespace {

std::string_view withoutFolders(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string offsetWords(const CodePlace &place)
{
    std::array<char, 32> offset{};
    std::snprintf(offset.data(), offset.size(), "+0x%" PRIx64, place.offset);
    return std::string(withoutFolders(place.file)) + offset.data();
}

/// "render.cpp:120" of "drawFrame (render.cpp:120)".
std::string_view lineIn(std::string_view name)
{
    const std::size_t open = name.rfind('(');
    if (open == std::string_view::npos || !name.ends_with(')'))
        return {};
    const std::string_view inside = name.substr(open + 1, name.size() - open - 2);
    return inside.find(':') == std::string_view::npos ? std::string_view() : inside;
}

} // namespace

std::string wordsOfPlace(const CodePlace &place, std::string_view name)
{
    const std::string_view line = lineIn(name);
    return !line.empty() ? std::string(line) : place.file.empty() ? std::string() : offsetWords(place);
}

bool isAtPlace(const CodePlace &place, std::string_view name, std::string_view wish)
{
    const std::string_view wanted = withoutFolders(wish);
    return wanted == withoutFolders(lineIn(name)) || wanted == offsetWords(place);
}

} // namespace jetscope
