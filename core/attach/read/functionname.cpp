// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/functionname.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>

namespace jetscope {

namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kOperator = "operator";

/// Whether the name so far ends with "operator" and signs, so that a sign belongs to it.
bool isOperatorSign(std::string_view before)
{
    const std::size_t end = before.find_last_not_of("<>-=!");
    return end != std::string_view::npos && before.substr(0, end + 1).ends_with(kOperator);
}

/// Of a demangled function: from behind the return type to the parameters.
std::string_view plainName(std::string_view text)
{
    std::size_t begin = 0;
    int depth = 0; // Arguments of templates, and lambdas, may have blanks and parentheses, too.
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view before = text.substr(0, i);
        const char c = text[i];
        if (c == '{' || (c == '<' && !isOperatorSign(before)))
            ++depth;
        else if (c == '}' || (c == '>' && !isOperatorSign(before)))
            --depth;
        else if (c == ' ' && depth == 0 && !before.ends_with(kOperator))
            begin = i + 1;
        if (c != '(' || depth != 0)
            continue;
        if (text.substr(i).starts_with(kAnonymous))
            i += kAnonymous.size() - 1;
        else if (text.substr(i).starts_with("()") && before.ends_with(kOperator))
            ++i;
        else
            return begin < i ? text.substr(begin, i - begin) : text;
    }
    return text;
}

} // namespace

std::string functionNameForUsers(const std::string &symbol)
{
    if (!symbol.starts_with("_Z")) // "f" would be the type float.
        return symbol;
    int failed = 0;
    const std::unique_ptr<char, decltype(&std::free)> readable(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &failed), &std::free);
    return readable ? std::string(plainName(readable.get())) : symbol;
}

} // namespace jetscope
