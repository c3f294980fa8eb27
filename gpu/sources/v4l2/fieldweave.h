// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "gpu/sources/v4l2/bufferqueue.h"

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

/// Finds the pairs in a stream of alternating fields (V4L2_FIELD_ALTERNATE). Capture thread.
class FieldPairs {
public:
    /// Whether this field, written to `into`, completes the frame of the field before. Its number becomes that of the
    /// frame: some drivers number frames, others fields.
    bool completes(FilledBuffer &field, const std::byte *into);
    /// The fields since the last call whose other field never came.
    std::uint64_t takeAlone();
    void restart();

private:
    struct Field {
        std::uint32_t field = 0;
        std::uint32_t sequence = 0;
        const std::byte *into = nullptr;
    };
    std::optional<Field> m_first; ///< Waits for its other field.
    std::optional<Field> m_last;
    std::optional<std::uint32_t> m_leading; ///< The field with which frames begin: that of the stream's first one.
    bool m_numbersFrames = false;           ///< Both fields of a frame have had the same number.
    std::uint64_t m_alone = 0;
};

} // namespace jetscope
