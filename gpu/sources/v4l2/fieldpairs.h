// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/v4l2/bufferqueue.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace jetscope {

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
