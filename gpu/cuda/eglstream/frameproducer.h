// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <memory>

namespace jetscope {

/// cudaEGLStreamProducerConnect. The stream's consumer must be connected.
Result<std::unique_ptr<FrameProducer>> connectCudaProducer(void *eglStream, int width, int height, FrameMemory memory);

} // namespace jetscope
