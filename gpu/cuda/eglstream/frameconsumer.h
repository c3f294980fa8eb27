// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <memory>

namespace jetscope {

/// cudaEGLStreamConsumerConnect. The stream must not have a producer yet.
Result<std::unique_ptr<FrameConsumer>> connectCudaConsumer(void *eglStream);

} // namespace jetscope
