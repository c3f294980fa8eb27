// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/result.h"

namespace jetscope {

std::string Error::message() const
{
    std::string out = call.empty() ? text : call + ": " + text;
    if (code != 0)
        out += " (code " + std::to_string(code) + ")";
    return out;
}

Error sentence(std::string text)
{
    return Error{{}, 0, std::move(text)};
}

} // namespace jetscope
