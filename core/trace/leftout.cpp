// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/leftout.h"

namespace jetscope {

void addCount(std::vector<std::string> &notes, std::uint64_t number, std::string_view what)
{
    if (number > 0)
        notes.push_back(std::string(what) + ": " + std::to_string(number));
}

} // namespace jetscope
