// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

// zstd, or its absence in builds without the library.

bool packsMessages();
/// None if it does not become smaller.
std::optional<std::vector<std::byte>> pack(std::span<const std::byte> bytes);
/// None if the bytes are not packed ones, or would become more than `most`. Takes memory as the bytes grow, whatever
/// size they claim.
std::optional<std::vector<std::byte>> unpack(std::span<const std::byte> packed, std::size_t most);

} // namespace jetscope
