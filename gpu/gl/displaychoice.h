// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Which GPU a display draws on, as far as its driver says.
struct DisplayGpu {
    bool known = false;            ///< Whether the driver names the display's EGL device.
    std::optional<int> cudaDevice; ///< Of that device (EGL_CUDA_DEVICE_NV); none where CUDA does not run on it.
};

/// The order in which to try EGL devices for a display without a window: the one of the wanted CUDA device before all
/// others.
std::vector<std::size_t> headlessOrder(const std::vector<std::optional<int>> &cudaDevices, std::optional<int> wanted);

/// Whether images of a display can be shared with a CUDA device: they must be of one GPU. A driver that does not say
/// which GPU a display is on is believed; the registration itself then tells.
Capability canShareImages(const std::string &vendor, const std::string &renderer, const DisplayGpu &gpu,
                          int cudaDevice);

} // namespace jetscope
