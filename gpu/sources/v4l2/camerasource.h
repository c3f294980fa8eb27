// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "gpu/sources/sourceuri.h"
#include "gpu/sources/v4l2/dmabufimport.h"
#include "gpu/sources/v4l2/v4l2syscalls.h"

#include <memory>

namespace jetscope {

/// Opens a v4l2: URI on any kernel, which outlives the source and its surfaces, and so does `api`.
Result<std::unique_ptr<FrameSource>> openCamera(V4l2Syscalls &kernel, const SourceUri &uri,
                                                const DmabufApi &api = DmabufApi::system());

} // namespace jetscope
