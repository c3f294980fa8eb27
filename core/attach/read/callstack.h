// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/format/attachformat.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

/// The stack of a call of an inspected program, as the library in it copied it. The numbers are the program's: any.
struct CallStack {
    std::uint64_t address = 0;        ///< In the library's function for the call, which goes on there.
    std::uint64_t stackPointer = 0;   ///< In that function.
    std::uint64_t framePointer = 0;   ///< The same.
    std::vector<std::uint64_t> words; ///< Memory from `stackPointer` on.

    /// A word of memory; empty if it was not copied.
    std::optional<std::uint64_t> at(std::uint64_t place) const;
};

/// From the words of records of JSA_CALL_STACK; empty if they are too few.
std::optional<CallStack> callStackOf(std::span<const std::uint64_t> words);

} // namespace jetscope
