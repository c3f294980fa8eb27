// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "core/pipelineconfig.h"
#include "gpu/cupti/cuptitrial.h"
#include "gpu/device/backends.h"
#include "gpu/sources/cameras.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Whether one value of a setting may be chosen on a device, everything else being at its default.
struct ChoiceRow {
    std::string_view name;
    Availability availability;
};

struct DeviceReport {
    DeviceCandidate candidate;
    std::shared_ptr<EglDisplay>
        display; ///< Its own; open as long as the report, since drivers remember the displays they shared with.
    std::string openError;            ///< Why a usable device could not be opened; empty when it could.
    std::optional<DeviceFacts> facts; ///< None when the device could not be opened.
    std::vector<ChoiceRow> memory;
    std::vector<ChoiceRow> output;
    std::vector<ChoiceRow> sync;
    std::vector<ChoiceRow> cpuStage;
};

/// A kind of frame source and whether this build has it.
struct SourceReport {
    std::string_view kind;
    Capability capability;
    std::string remark; ///< What should be known of one that can be used; mostly nothing.
};

/// Where the times of a device's work can come from.
struct GpuTimesReport {
    std::string device; ///< The CUDA device that was tried; empty when there is none.
    CuptiOutcome cupti;
};

/// What `doctor` found.
struct MachineReport {
    std::shared_ptr<EglDisplay> egl; ///< Null when there is none.
    std::string eglError;
    Capability window;
    Capability cpuStage;
    std::string instructionSet; ///< Of the filters on the CPU.
    std::string bestDevice;
    GpuTimesReport gpuTimes;
    std::vector<DeviceReport> devices;
    std::vector<SourceReport> sources;
    std::vector<CameraInfo> cameras;
    std::vector<std::string> cameraHints; ///< Sentences on why cameras may be missing.

    /// Why no pipeline can run here; empty when one can.
    std::string trouble() const;
};

/// Where `doctor` looks for cameras, and for why some may be missing.
struct CameraSurvey {
    std::function<std::vector<CameraInfo>()> list = listCameras;
    std::string root = "/"; ///< The folder that stands for "/".
};

/// `tryCupti` takes the ordinal of a CUDA device; it is not called where there is none.
MachineReport examineMachine(const CameraSurvey &survey = {},
                             const std::function<CuptiOutcome(int)> &tryCupti = awaitCuptiOutcome);

/// Tries the best of these devices that CUDA can use.
GpuTimesReport examineGpuTimes(const std::vector<DeviceCandidate> &devices,
                               const std::function<CuptiOutcome(int)> &tryCupti);

} // namespace jetscope
