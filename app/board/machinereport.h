// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/platform/factsections.h"
#include "core/settings/devicefacts.h"
#include "core/settings/settingtable.h"
#include "gpu/cupti/cuptitrial.h"
#include "gpu/device/backends.h"
#include "gpu/sources/cameras.h"
#include "gpu/sources/framesource.h"
#include "gpu/stages/dla/dlastage.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// What a source says of itself, and what some of its frames show.
struct StreamReport {
    std::string uri;
    std::string description;
    std::string error; ///< Why it delivers nothing; empty if it does.
    std::uint64_t frames = 0;
    SourceState state;
};

using SourceOpener = std::function<Result<std::unique_ptr<FrameSource>>(const std::string &uri)>;

/// Opens a source at its own rate and reads some frames, for a few seconds at most.
StreamReport examineStream(const std::string &uri, const SourceOpener &open);

/// Whether a value of a setting is available on a device, with all other settings at their defaults.
struct DeviceChoice {
    std::string name;
    Availability availability;
};

/// All values of a setting.
struct DeviceSetting {
    const SettingRow *row;
    std::vector<DeviceChoice> values;
};

struct DeviceReport {
    DeviceCandidate candidate;
    std::shared_ptr<EglDisplay> display; ///< Stays open as long as the report, because drivers keep state about
                                         ///< displays that were shared with them.
    std::string openError;               ///< Why a usable device could not be opened; otherwise empty.
    std::optional<DeviceFacts> facts;    ///< Empty if the device could not be opened.
    std::string probed; ///< When the device was probed, or why its kept table cannot be read; empty if it was not.
    std::vector<DeviceSetting> settings;
};

/// A kind of frame source and whether this build supports it.
struct SourceReport {
    std::string_view kind;
    Capability capability;
    std::string remark; ///< A remark about an available source; usually empty.
};

/// Available sources of the times of device work.
struct GpuTimesReport {
    std::string device; ///< The CUDA device that was tried; empty if there is none.
    CuptiOutcome cupti;
};

/// The compiler of own kernels (`cu:FILE.cu`).
struct KernelCompilerReport {
    Capability usable;
    std::string version; ///< "13.0"; empty if unknown, like the library.
    std::string library;
};

/// The result of `doctor`.
struct MachineReport {
    std::shared_ptr<EglDisplay> egl; ///< Null if there is none.
    std::string eglError;
    Capability window;
    Capability cpuStage;
    std::string instructionSet; ///< SIMD instruction set of the CPU filters.
    std::string bestDevice;
    PlatformFacts platform;
    GpuTimesReport gpuTimes;
    KernelCompilerReport kernelCompiler;
    DlaModes dla;
    std::vector<DeviceReport> devices;
    std::vector<SourceReport> sources;
    std::optional<StreamReport> stream; ///< Of --source.
    std::vector<CameraInfo> cameras;
    std::vector<std::string> cameraHints; ///< Sentences about possible reasons for missing cameras.

    /// Why no pipeline can run on this machine; empty if one can.
    std::string trouble() const;
};

/// Where `doctor` searches for cameras, for the reasons of missing ones, and for the facts that files state.
struct CameraSurvey {
    std::function<std::vector<CameraInfo>()> list = listCameras;
    std::string root = "/"; ///< Root folder of the search; --sysroot.
};

/// `tryCupti` takes the ordinal of a CUDA device; it is not called if there is none.
MachineReport examineMachine(const CameraSurvey &survey = {},
                             const std::function<CuptiOutcome(int)> &tryCupti = awaitCuptiOutcome);

/// Tries the best of these devices that is usable by CUDA.
GpuTimesReport examineGpuTimes(const std::vector<DeviceCandidate> &devices,
                               const std::function<CuptiOutcome(int)> &tryCupti);

/// The object that `doctor --json` prints.
JsonObject doctorJson(const MachineReport &report);

/// The text that `doctor` prints.
std::string doctorText(const MachineReport &report);

} // namespace jetscope
