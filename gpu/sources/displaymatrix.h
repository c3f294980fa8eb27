// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/ffmpegtypes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace jetscope {

/// How a container turns the pictures of a stream, as `turnOf` takes it; none if it does not say. Where it is kept
/// differs between versions of FFmpeg.
std::optional<std::array<std::int32_t, 4>> displayMatrixOf(const AVStream &stream);

inline constexpr std::size_t kMatrixBytes = 9 * sizeof(std::int32_t);

/// The same from the bytes of side data.
inline std::array<std::int32_t, 4> displayMatrixIn(const std::uint8_t *data)
{
    const auto *matrix = reinterpret_cast<const std::int32_t *>(data); // 3 by 3, as FFmpeg allocates it.
    return {matrix[0], matrix[1], matrix[3], matrix[4]};
}

} // namespace jetscope
