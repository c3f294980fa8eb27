// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/sourceuri.h"

#include <memory>

namespace jetscope {

/// Opens a web camera (http:, https:) that sends JPEG pictures.
Result<std::unique_ptr<FrameSource>> openMjpeg(const SourceUri &uri);

} // namespace jetscope
