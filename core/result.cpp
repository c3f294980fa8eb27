// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/result.h"

#include <cstdio>

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

bool saidOnStderr(const Error &error)
{
    std::fprintf(stderr, "an error was taken for a value: %s\n", error.message().c_str());
    return false;
}

} // namespace jetscope
