// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/devicefacts.h"
#include "gpu/cuda/cudaevent.h"
#include "gpu/device/device.h"
#include "gpu/gl/display.h"

#include <memory>

namespace jetscope {

/// The capabilities of the current device (ordinal `ordinal`), determined by trying them. The reason for a missing one
/// is the API's own error. Restores the thread's EGL context.
Result<DeviceFacts> probeCudaDevice(int ordinal, const std::shared_ptr<EglDisplay> &display, const EventApi &events);

/// Adds the attributes and versions that the driver reports to the facts; what cannot be read is unknown.
void reportAttributes(DeviceFacts &facts, int ordinal);

/// Tries the kinds of memory that not every device has. Attributes and registration are known by now.
void probeMemoryKinds(DeviceFacts &facts, int ordinal);

/// Tries EGLSync and events in both directions with an idle stream. A context of the display must be current.
Capability probeEglSync(const std::shared_ptr<EglDisplay> &display, const EventApi &events, cudaStream_t stream);

/// Sends a few frames through an EGLStream and back. A context of the display must be current.
Status tryEglStream(const std::shared_ptr<EglDisplay> &display, Stream &stream, FrameMemory memory);

/// The same with CUDA at both ends; requires no GL.
Status tryEglStreamInput(const std::shared_ptr<EglDisplay> &display, Stream &stream, FrameMemory memory);

} // namespace jetscope
