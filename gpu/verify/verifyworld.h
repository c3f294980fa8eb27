// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform/memorytable.h"
#include "core/result.h"
#include "gpu/cupti/cuptitrial.h"
#include "gpu/device/backends.h"
#include "gpu/gl/streamconsumer.h"
#include "gpu/sources/framesource.h"
#include "gpu/stages/nviva/nvivasurface.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

class Workbench;

/// How fast a processor reads memory again that it has read before, as a share of the rate of memory that it surely
/// caches: pageable memory for the CPU, device memory for the GPU. Empty where it does not reach the memory.
struct CacheShares {
    std::optional<double> cpu;
    std::optional<double> gpu;
};

/// Where the checks get what they try. The members are those of this machine; tests replace them. The tools of stages
/// (vpiTools, dlaTools, nvivaTools) are those of the process.
struct VerifyWorld {
    std::string deviceId;
    std::string root = "/"; ///< Of the files of the kernel and the system.
    std::string loadable;   ///< For the DLA; empty if the user has named none.

    std::function<Result<std::shared_ptr<EglDisplay>>(std::string_view deviceId)> openDisplay = openHeadlessDisplay;
    std::function<Result<std::unique_ptr<Device>>(std::string_view id, const std::shared_ptr<EglDisplay> &display)>
        openDevice = jetscope::openDevice;
    std::function<Result<CacheShares>(Workbench &bench, std::string_view memory)> measureCaches; ///< Empty: by probe.
    /// How many times as long an attachment of much memory takes as one of little. Empty: it is measured.
    std::function<Result<double>(const AttachTransition &transition)> measureAttachment;
    const EglStreamApi *streams = &realEglStreamApi();
    std::function<Result<NvivaSurfaceApi>()> loadSurfaces = [] { return NvivaSurfaceApi::load({}); };
    /// A camera at the board's connector, by its URI, or why there is none.
    std::function<Result<std::unique_ptr<FrameSource>>(const std::string &uri)> openCamera =
        [](const std::string &uri) { return openSource(uri, Pacing::Real); };
    std::function<CuptiOutcome(int ordinal)> tryCupti = awaitCuptiOutcome;
    std::string nvivaLibrary; ///< Empty: NVIDIA's sample, where it is installed.
    /// Why the kernel's scheduler cannot be seen; empty if it can.
    std::function<std::string()> schedulerRefusal; ///< Empty: that of this machine.
    std::vector<std::string> schedulerCommand;     ///< Empty: jetscope-sched.
};

} // namespace jetscope
