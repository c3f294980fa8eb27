// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace jetscope {

/// How the two fields of an interlaced picture lie in a driver's buffers.
enum class FieldLayout : std::uint8_t {
    Frame,    ///< Whole pictures: progressive, woven by the driver, or one field only.
    TopAbove, ///< Both in a buffer, the top field above the bottom field.
    BottomAbove,
    Alternate, ///< Each in a buffer of its own.
};

/// Of a V4L2_FIELD_*; none for a value that is not known.
std::optional<FieldLayout> fieldLayoutOf(std::uint32_t field);

/// "progressive", "top field first", …; empty if the driver does not say.
std::string fieldOrderText(std::uint32_t field);

/// Writes one field to every second row, from row 0 on for the top field and from row 1 on for the bottom field.
/// `fieldLayout` is that of the field.
void writeField(const ImageLayout &fieldLayout, const std::byte *from, bool top, const ImageLayout &toLayout,
                std::byte *to);

/// Writes a picture whose fields lie one above the other in each plane, woven.
void weaveFields(const ImageLayout &fromLayout, const std::byte *from, bool topAbove, const ImageLayout &toLayout,
                 std::byte *to);

} // namespace jetscope
