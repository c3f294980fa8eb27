// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/backends.h"

namespace jetscope {

/// The CUDA devices. A build without CUDA uses a stub that lists one unusable device with the reason.
Backend cudaBackend();

} // namespace jetscope
