// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourceuri.h"

#include "core/text/parsenumber.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

namespace jetscope {

namespace {

constexpr std::size_t kLongestUri = 4096; // PATH_MAX: a path cannot be longer.
constexpr std::size_t kLongestQuote = 120;

bool exists(const std::string &path)
{
    std::error_code failed;
    return !path.empty() && std::filesystem::exists(path, failed);
}

bool isSchemeCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-'
        || c == '.';
}

/// The part before the first ':' if it can be a scheme; a path with a slash before its colon has none.
std::optional<std::string> schemeOf(std::string_view text)
{
    const auto colon = text.find(':');
    if (colon == std::string_view::npos || colon == 0)
        return std::nullopt;
    const std::string_view scheme = text.substr(0, colon);
    if (!std::all_of(scheme.begin(), scheme.end(), isSchemeCharacter))
        return std::nullopt;
    return lowerCase(scheme);
}

/// None if a '%' is not followed by two hexadecimal digits or encodes a NUL, which a path cannot contain.
std::optional<std::string> percentDecoded(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        std::string_view digits = text.substr(i + 1, 2);
        const unsigned value = digits.size() == 2 ? takeNumber<unsigned>(digits, 16).value_or(0) : 0;
        if (value == 0 || !digits.empty())
            return std::nullopt;
        out += static_cast<char>(value);
        i += 2;
    }
    return out;
}

Status splitOptions(std::string_view query, SourceUri &uri)
{
    while (!query.empty()) {
        const auto end = std::min(query.find('&'), query.size());
        const std::string_view pair = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        const auto equals = pair.find('=');
        if (equals == std::string_view::npos || equals == 0)
            return Error{inQuotes(uri.text), 0,
                         "options are written key=value and joined by '&', but one is " + inQuotes(pair)};
        const std::string key(pair.substr(0, equals));
        const auto sameKey = [&key](const SourceUri::Option &option) { return option.key == key; };
        if (std::any_of(uri.options.begin(), uri.options.end(), sameKey))
            return Error{inQuotes(uri.text), 0, "the option " + inQuotes(key) + " is given twice: keep one of them"};
        uri.options.push_back({key, std::string(pair.substr(equals + 1))});
    }
    return {};
}

} // namespace

Result<SourceUri> parseSourceUri(std::string_view text)
{
    if (text.empty())
        return Error{"source", 0, "the source is empty: name a file, or synthetic: for the test card"};
    if (text.size() > kLongestUri || text.find('\0') != std::string_view::npos)
        return Error{inQuotes(text), 0, "this is no source: it is longer than a path can be, or holds a NUL byte"};

    SourceUri uri;
    uri.text = std::string(text);
    // A file whose name looks like "name:rest" can still be opened by its bare path.
    const bool bare = exists(uri.text);
    const std::optional<std::string> scheme = bare ? std::nullopt : schemeOf(text);
    uri.scheme = scheme.value_or("file");
    const std::string_view rest = scheme ? text.substr(scheme->size() + 1) : text;
    uri.path = std::string(rest);
    if (uri.scheme == "file" && exists(uri.path))
        return uri;

    // A '?' in a web address, a pipeline or a list of sources belongs to it.
    if (uri.scheme == "gst" || uri.scheme == "several" || (uri.scheme != "file" && rest.substr(0, 2) == "//"))
        return uri;
    if (const auto question = rest.rfind('?'); question != std::string_view::npos) {
        uri.path = std::string(rest.substr(0, question));
        JETSCOPE_TRY(splitOptions(rest.substr(question + 1), uri));
    }
    if (uri.scheme != "file" || exists(uri.path))
        return uri;
    if (const auto decoded = percentDecoded(uri.path); decoded && exists(*decoded))
        uri.path = *decoded;
    return uri;
}

std::string withOption(const SourceUri &uri, std::string_view key, std::string_view value)
{
    // Without options a '?' in the text belongs to the path.
    std::string text = uri.options.empty() ? uri.text : uri.text.substr(0, uri.text.rfind('?'));
    if (uri.options.empty() && text.ends_with('?'))
        text.pop_back();
    char separator = '?';
    const auto append = [&](std::string_view name, std::string_view setting) {
        text += separator;
        text.append(name).append("=").append(setting);
        separator = '&';
    };
    for (const SourceUri::Option &option : uri.options)
        if (option.key != key)
            append(option.key, option.value);
    append(key, value);
    return text;
}

std::string inQuotes(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text.substr(0, kLongestQuote))
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    // Cut between characters, not inside one.
    if (text.size() > kLongestQuote) {
        while ((static_cast<unsigned char>(out.back()) & 0xc0) == 0x80)
            out.pop_back();
        if (static_cast<unsigned char>(out.back()) >= 0xc0)
            out.pop_back();
        out += "…";
    }
    return out + "\"";
}

std::string alternatives(const std::vector<std::string_view> &names)
{
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0)
            out += i + 1 == names.size() ? " or " : ", ";
        out += names[i];
    }
    return out;
}

} // namespace jetscope
