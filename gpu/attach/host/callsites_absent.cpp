// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/callsites.h"

#include <array>
#include <cstdio>
#include <filesystem>

namespace jetscope {

// This build has no libdw, which reads symbols and lines.

class CallSites::Files {};

CallSites::CallSites() = default;
CallSites::~CallSites() = default;

std::string CallSites::look(const CodePlace &place)
{
    std::array<char, 32> offset{};
    std::snprintf(offset.data(), offset.size(), "+0x%llx", static_cast<unsigned long long>(place.offset));
    return std::filesystem::path(place.file).filename().string() + offset.data();
}

std::string CallSites::symbolOf(const CodePlace &)
{
    return {};
}

std::vector<CodePlace> CallSites::unwind(const CallStack &, const std::vector<CodeMapping> &)
{
    return {};
}

} // namespace jetscope
