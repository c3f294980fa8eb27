// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"

#include <cstddef>
#include <memory>

namespace jetscope {

/// Decodes JPEG pictures into the planes they were coded in: converting colours is the GPU's. One thread at a time.
class JpegDecoder {
public:
    /// An error where this build has no decoder.
    static Result<std::unique_ptr<JpegDecoder>> create();
    virtual ~JpegDecoder() = default;

    /// How a picture will lie in memory; an error when this is no picture that can be read.
    virtual Result<ImageLayout> layoutOf(const std::byte *jpeg, std::size_t bytes) = 0;
    /// Fills `into`; an error when the picture is damaged or of another layout.
    virtual Status decode(const std::byte *jpeg, std::size_t bytes, const ImageLayout &layout, std::byte *into) = 0;
};

} // namespace jetscope
