// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/wire.h"

#include <cstdint>

namespace jetscope {

/// Of the kind: the content is packed.
inline constexpr unsigned kPackedBit = 0x80;

struct FrameHead {
    std::uint32_t size = 0;
    std::uint8_t kind = 0;
    std::uint32_t sequence = 0;
};

inline void fields(Wire &wire, FrameHead &head)
{
    wire.members(head, head.size, head.kind, head.sequence);
}

} // namespace jetscope
