// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/devicefacts.h"
#include "gpu/device/device.h"
#include "gpu/gl/display.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A device of the list and whether it can be opened. Listing does not start the device.
struct DeviceCandidate {
    std::string id;   ///< "cuda:0", "soft:orin"
    std::string name; ///< As shown in the device menu.
    Capability usable;
    bool integrated = false; ///< Shares the CPU's memory.
    bool software = false;   ///< Runs on the CPU: the default only if no GPU can be used.
};

/// One implementation of Device: the CUDA runtime, or the software iGPU. `list` is cheap and starts nothing.
struct Backend {
    std::string_view family;      ///< The part of a device id before the colon.
    std::vector<std::string> ids; ///< All ids as help texts name them, whatever this machine has: "cuda:N".
    std::vector<DeviceCandidate> (*list)();
    Result<std::unique_ptr<Device>> (*open)(std::string_view id, const std::shared_ptr<EglDisplay> &display);
};

/// All back ends of this build, in order of preference.
const std::vector<Backend> &backends();

/// The ids of all back ends for help texts: "cuda:N, soft:nano or soft:orin".
std::string deviceIds();

std::vector<DeviceCandidate> listDevices();

/// The first usable device: an integrated GPU, then any GPU, then the software iGPU with Orin's rules.
std::string bestDeviceId(const std::vector<DeviceCandidate> &candidates);
std::string bestDeviceId();

/// A display without a window, on this device's GPU if EGL has a display for it.
Result<std::shared_ptr<EglDisplay>> openHeadlessDisplay(std::string_view deviceId);

/// Opens a device by id. `display` is the EGL display that shows the frames.
Result<std::unique_ptr<Device>> openDevice(std::string_view id, const std::shared_ptr<EglDisplay> &display);

} // namespace jetscope
