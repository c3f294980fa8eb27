// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A source's URI in parts: `scheme:path?key=value&…`.
struct SourceUri {
    struct Option {
        std::string key;
        std::string value;
    };
    std::string text;   ///< As the user wrote it.
    std::string scheme; ///< Lower case; "file" for a bare path.
    std::string path;
    std::vector<Option> options;
};

/// Splits a URI; whether scheme, path and options mean anything is for the source to say. A path that exists as
/// written is taken as it is, with every '?' and '%' in it; else it ends at the last '?' and may be percent-encoded. An
/// address with
/// `//` and a pipeline stay whole.
Result<SourceUri> parseSourceUri(std::string_view text);

/// The user's words in double quotes, fit for an error sentence: one line, printable, not too long.
std::string inQuotes(std::string_view text);

/// "a, b or c".
std::string alternatives(const std::vector<std::string_view> &names);

} // namespace jetscope
