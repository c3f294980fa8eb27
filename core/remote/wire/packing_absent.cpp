// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/packing.h"

namespace jetscope {

// For builds without libzstd.
bool packsMessages()
{
    return false;
}

std::optional<std::vector<std::byte>> pack(std::span<const std::byte>)
{
    return std::nullopt;
}

std::optional<std::vector<std::byte>> unpack(std::span<const std::byte>, std::size_t)
{
    return std::nullopt;
}

} // namespace jetscope
