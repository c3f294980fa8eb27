// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "gpu/sources/sourceuri.h"
#include "gpu/sources/v4l2/dmabufimport.h"
#include "gpu/sources/v4l2/v4l2syscalls.h"

#include <memory>

namespace jetscope {

/// Opens a v4l2: URI on any kernel interface. `kernel` and `api` must outlive the source and its external buffers.
Result<std::unique_ptr<FrameSource>> openCamera(V4l2Syscalls &kernel, const SourceUri &uri,
                                                const DmabufApi &api = DmabufApi::system());

} // namespace jetscope
