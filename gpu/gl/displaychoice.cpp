// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/displaychoice.h"

#include <algorithm>
#include <numeric>

namespace jetscope {

std::vector<std::size_t> headlessOrder(const std::vector<std::optional<int>> &cudaDevices, std::optional<int> wanted)
{
    std::vector<std::size_t> order(cudaDevices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (wanted)
        std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return cudaDevices[i] == wanted; });
    return order;
}

Capability canShareImages(const std::string &vendor, const std::string &renderer, const DisplayGpu &gpu, int cudaDevice)
{
    if (vendor.find("NVIDIA") == std::string::npos)
        return Capability::no(
            "the EGL display is by " + vendor + " (" + renderer
            + "), with which CUDA cannot share images; install the NVIDIA driver's EGL, or start on its display");
    if (!gpu.known || gpu.cudaDevice == cudaDevice)
        return Capability::yes();
    if (!gpu.cudaDevice)
        return Capability::no("the EGL display is on a GPU that CUDA does not support; start on a display of cuda:"
                              + std::to_string(cudaDevice));
    return Capability::no("the EGL display is on cuda:" + std::to_string(*gpu.cudaDevice)
                          + "; take that device, or start on a display of this one");
}

} // namespace jetscope
