// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/callstack.h"

namespace jetscope {

std::optional<std::uint64_t> CallStack::at(std::uint64_t place) const
{
    const std::uint64_t distance = place - stackPointer;
    if (distance % sizeof(std::uint64_t) != 0 || distance / sizeof(std::uint64_t) >= words.size())
        return std::nullopt;
    return words[distance / sizeof(std::uint64_t)];
}

std::optional<CallStack> callStackOf(std::span<const std::uint64_t> words)
{
    if (words.size() <= JSA_STACK_HEAD)
        return std::nullopt;
    const auto behind = words.begin() + JSA_STACK_HEAD;
    return CallStack{words[0], words[1], words[2], {behind, words.end()}};
}

} // namespace jetscope
