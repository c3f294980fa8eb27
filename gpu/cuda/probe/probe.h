// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "core/result.h"
#include "gpu/cuda/eventapi.h"
#include "gpu/device/device.h"
#include "gpu/gl/display.h"

#include <memory>

namespace jetscope {

/// What the current device (number `ordinal`) can do, found by trying; the reason of what it cannot is the API's own
/// answer. Leaves the thread's EGL context as it was.
Result<DeviceFacts> probeCudaDevice(int ordinal, const std::shared_ptr<EglDisplay> &display, const EventApi &events);

/// EGLSync and events both ways, with an idle stream. A context of the display is current.
Capability probeEglSync(const std::shared_ptr<EglDisplay> &display, const EventApi &events, cudaStream_t stream);

/// A few frames through an EGLStream and back. A context of the display is current.
Status tryEglStream(const std::shared_ptr<EglDisplay> &display, Stream &stream, FrameMemory memory);

/// The same with CUDA at both ends; needs no GL.
Status tryEglStreamInput(const std::shared_ptr<EglDisplay> &display, Stream &stream, FrameMemory memory);

} // namespace jetscope
