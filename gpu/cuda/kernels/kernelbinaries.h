// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

#include <string_view>

namespace jetscope {

/// Whether a program built for `architectures` has machine code for the device's compute capability. Otherwise the
/// driver compiles its kernels from PTX when they are first used (rule A22).
///
/// `architectures` is CMake's CMAKE_CUDA_ARCHITECTURES, separated by commas: "75-real,90,100-virtual". Machine code
/// runs on devices of the same major version and the same or a newer minor one; on Tegra only on its own version (CUDA
/// Programming Guide, Binary Compatibility).
Capability kernelBinaries(std::string_view architectures, const DeviceFacts &facts);

} // namespace jetscope
