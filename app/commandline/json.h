// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace jetscope {

// What the commands print as JSON. This header names the types only; jsonvalues.h has what makes and prints values.

/// Any value; null by default. It takes texts, numbers, flags, and what is made of these. A text may be invalid UTF-8
/// and a number not finite: jsonLine() says what is printed of them.
using JsonValue = nlohmann::json;
/// Sorted by its keys, as it is printed.
using JsonObject = std::map<std::string, JsonValue, std::less<>>;
using JsonArray = std::vector<JsonValue>;

} // namespace jetscope
