// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "gpu/sources/framesource.h"

#include <cstddef>

namespace jetscope {

/// Sees each frame of a source before the pipeline takes it.
class InputWatch {
public:
    virtual ~InputWatch() = default;
    /// `bytes` has that layout; null if the frame lies in a buffer of the source's own. On the capture thread, which
    /// reads no other frame meanwhile.
    virtual void arrived(const CapturedFrame &frame, const ImageLayout &layout, const std::byte *bytes) = 0;
};

} // namespace jetscope
