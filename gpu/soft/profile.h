// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

#include <span>
#include <string_view>

namespace jetscope {

/// The board whose capabilities and access rules the software iGPU follows. It does not simulate the board's timing.
struct SoftProfile {
    std::string_view name;
    int computeMajor;
    int computeMinor;
    bool concurrentManagedAccess;
    bool pageableMemoryAccess;
    bool hostRegister;
    bool exportsHostMemory; ///< As DMA-BUFs.
    bool memoryPools;
};

std::span<const SoftProfile> softProfiles();

/// Null for an unknown name.
const SoftProfile *softProfile(std::string_view name);

/// "software iGPU (orin rules) on <CPU model>".
std::string softDeviceName(const SoftProfile &profile);

/// The facts of a software iGPU on a display that has (or lacks) EGL images.
DeviceFacts softFacts(const SoftProfile &profile, bool haveDisplay);

} // namespace jetscope
