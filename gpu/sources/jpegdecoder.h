// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"

#include <cstddef>
#include <memory>

namespace jetscope {

/// Decodes JPEG pictures into their coded planes; the GPU converts the colours. One thread at a time.
class JpegDecoder {
public:
    /// An error if this build has no decoder.
    static Result<std::unique_ptr<JpegDecoder>> create();
    virtual ~JpegDecoder() = default;

    /// The layout of the decoded picture; an error if it cannot be read.
    virtual Result<ImageLayout> layoutOf(const std::byte *jpeg, std::size_t bytes) = 0;
    /// Fills `into`; an error if the picture is damaged or has another layout.
    virtual Status decode(const std::byte *jpeg, std::size_t bytes, const ImageLayout &layout, std::byte *into) = 0;
};

} // namespace jetscope
