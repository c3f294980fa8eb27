// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "core/devicefacts.h"
#include "core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

inline constexpr int kMaxFramesInFlight = 4;
inline constexpr int kMaxStreams = 4;
inline constexpr int kMaxFilters = 64;

/// The chain to begin with: gaussian5, sobel.
std::vector<Filter> defaultFilters();

/// Everything the user switches while the pipeline runs.
struct PipelineConfig {
    MemoryKind memory = MemoryKind::Pinned;
    OutputKind output = OutputKind::EglImage;
    SyncMode sync = SyncMode::EglSync;
    WaitPolicy wait = WaitPolicy::Auto;
    CpuStagePlacement cpuStage = CpuStagePlacement::Off;
    CpuWork cpuWork = CpuWork::Canny;
    std::vector<Filter> filters = defaultFilters();
    int framesInFlight = 2; ///< 1..kMaxFramesInFlight
    int streams = 1;        ///< 1..kMaxStreams; frame f runs on stream f mod streams.
    GpuTime gpuTime = GpuTime::Auto;

    bool operator==(const PipelineConfig &) const = default;
};

/// Legal: documented to work and never reported as a hazard. Unsafe: the API allows it but it is
/// wrong. Unavailable: the API cannot do it on this device. `reason` is empty only when legal.
struct Availability {
    enum class Level { Legal, Unsafe, Unavailable };
    Level level = Level::Legal;
    std::string reason;

    bool legal() const { return level == Level::Legal; }
    bool unavailable() const { return level == Level::Unavailable; }
};

/// Whether one value may be chosen in `config` on this device, the rest of `config` as it stands.
Availability availability(MemoryKind kind, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(OutputKind kind, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(SyncMode mode, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(CpuStagePlacement placement, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(Filter filter, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(GpuTime source, const PipelineConfig &config, const DeviceFacts &facts);

/// The worst of the choices of a whole configuration, with the reason; also checks the ranges of the
/// counts and the length of the chain.
Availability availability(const PipelineConfig &config, const DeviceFacts &facts);

/// The best safe hand-over that this device and output have: EGLSync, else implicit where the output
/// is GL interop, else event.
SyncMode bestSyncMode(OutputKind output, const DeviceFacts &facts);

/// A legal configuration for this device, as near to `wanted` as possible.
PipelineConfig nearestLegal(PipelineConfig wanted, const DeviceFacts &facts);

/// Sets one `key=value` of the command line's --at and of saved settings. Keys: memory output sync
/// wait cpu-stage cpu-work filters frames-in-flight streams gpu-time; the values as on the command line. In
/// `filters`, names are joined by '+' or ','; "none" is the empty chain. The error is one sentence that
/// lists the legal values.
Status applySetting(PipelineConfig &config, std::string_view key, std::string_view value);

/// The chain's names joined by `separator`; "none" for an empty chain.
std::string filterNames(const std::vector<Filter> &filters, std::string_view separator = ",");

/// The settings in which two configurations differ, as "memory: pinned → zero-copy"; empty when equal.
std::string describeChange(const PipelineConfig &from, const PipelineConfig &to);

} // namespace jetscope
