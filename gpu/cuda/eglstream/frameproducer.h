// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <memory>

namespace jetscope {

/// A producer as the back end itself uses it, below the Device.
class CudaProducer : public FrameProducer {
public:
    using FrameProducer::makeFrame;
    using FrameProducer::present;
    using FrameProducer::takeBack;
};

/// cudaEGLStreamProducerConnect. The stream's consumer is connected.
Result<std::unique_ptr<CudaProducer>> connectCudaProducer(void *eglStream, int width, int height, FrameMemory memory);

} // namespace jetscope
