// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/sources/externalbuffer.h"

#include <cstddef>

namespace jetscope {

class Device;
class GlQueue;

/// Tests whether display, GL and device accept a source's buffers (ExternalBufferView::Bytes), with one buffer that
/// holds these bytes. The error is the driver's own. Pipeline thread; leaves nothing registered.
Status tryExternalBuffer(ExternalBuffer &buffer, const std::byte *bytes, const ImageLayout &layout, GlQueue &queue,
                         Device &device);

} // namespace jetscope
