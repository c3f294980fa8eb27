// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The parts of a source's URI: `scheme:path?key=value&…`.
struct SourceUri {
    struct Option {
        std::string key;
        std::string value;
    };
    std::string text;   ///< The text that the user entered.
    std::string scheme; ///< Lower case; "file" for a bare path.
    std::string path;
    std::vector<Option> options;
};

/// Splits a URI; the source validates scheme, path and options. A path that exists literally is used unchanged, with
/// every '?' and '%' in it. Otherwise it ends at the last '?' and may be percent-encoded. An address with `//` and a
/// pipeline are not split.
Result<SourceUri> parseSourceUri(std::string_view text);

/// The user's text with an option added or replaced. Only for URIs whose options are split.
std::string withOption(const SourceUri &uri, std::string_view key, std::string_view value);

/// The user's text in double quotes, for error messages: one line, printable, shortened if too long.
std::string inQuotes(std::string_view text);

/// "a, b or c".
std::string alternatives(const std::vector<std::string_view> &names);

} // namespace jetscope
