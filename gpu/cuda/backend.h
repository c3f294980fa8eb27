// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/backends.h"

namespace jetscope {

/// The CUDA devices. In a build without CUDA a stub lists one that says so.
Backend cudaBackend();

} // namespace jetscope
