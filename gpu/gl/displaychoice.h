// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// The GPU on which a display renders, as reported by its driver.
struct DisplayGpu {
    bool known = false;            ///< Whether the driver reports the display's EGL device.
    std::optional<int> cudaDevice; ///< The CUDA device of that EGL device (EGL_CUDA_DEVICE_NV); none if it has none.
};

/// The order in which to try EGL devices for a display without a window: the one of the wanted CUDA device first.
std::vector<std::size_t> headlessOrder(const std::vector<std::optional<int>> &cudaDevices, std::optional<int> wanted);

/// Whether images of a display can be shared with a CUDA device: both must use the same GPU. If the driver does not
/// report the display's GPU, this returns yes and the registration itself decides.
Capability canShareImages(const std::string &vendor, const std::string &renderer, const DisplayGpu &gpu,
                          int cudaDevice);

} // namespace jetscope
