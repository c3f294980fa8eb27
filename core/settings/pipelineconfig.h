// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "core/settings/devicefacts.h"

#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

inline constexpr int kMaxFramesInFlight = 4;
inline constexpr int kMaxStreams = 4;
inline constexpr int kMaxFilters = 64;

/// The default filter chain: gaussian5, sobel.
std::vector<Filter> defaultFilters();

/// All settings that the user can change while the pipeline runs.
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
    StreamPriority priority = StreamPriority::Normal;
    GpuShare share = GpuShare::All;
    Beside beside = Beside::Nothing;
    GpuTime gpuTime = GpuTime::Auto;

    bool operator==(const PipelineConfig &) const = default;
};

/// Legal: documented to work, never reported as a hazard. Unsafe: the API accepts it but the result is wrong.
/// Unavailable: the API does not support it on this device. `reason` is empty only when legal.
struct Availability {
    enum class Level { Legal, Unsafe, Unavailable };
    Level level = Level::Legal;
    std::string reason;

    bool legal() const { return level == Level::Legal; }
    bool unavailable() const { return level == Level::Unavailable; }
};

/// Legal where a device has a capability; otherwise its reason, or that it does not offer `what`.
Availability fromCapability(const Capability &capability, std::string_view what);

/// Whether a single value is available on this device when the rest of `config` stays unchanged.
Availability availability(MemoryKind kind, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(OutputKind kind, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(SyncMode mode, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(CpuStagePlacement placement, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(Filter filter, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(StreamPriority priority, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(GpuShare share, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(Beside load, const PipelineConfig &config, const DeviceFacts &facts);
Availability availability(GpuTime source, const PipelineConfig &config, const DeviceFacts &facts);

/// The worst availability of all settings of a configuration, with its reason. Also checks the ranges of the counts and
/// the length of the filter chain.
Availability availability(const PipelineConfig &config, const DeviceFacts &facts);

/// The best safe sync mode for this device and output: EGLSync if available, else implicit for GL interop output, else
/// event.
SyncMode bestSyncMode(OutputKind output, const DeviceFacts &facts);

/// The legal configuration for this device that is closest to `wanted`.
PipelineConfig nearestLegal(PipelineConfig wanted, const DeviceFacts &facts);

/// Sets one `key=value` of the command line's --at option or of saved settings: keys and values of settingTable(). In
/// `filters`, names are joined by '+' or ','; "none" is the empty chain. The error is one sentence that lists the legal
/// values.
Status applySetting(PipelineConfig &config, std::string_view key, std::string_view value);

/// The names of the filter chain, joined by `separator`; "none" for an empty chain.
std::string filterNames(const std::vector<Filter> &filters, std::string_view separator = ",");

/// A value of the command line in single quotes, for messages: printable ASCII, cut off if long.
std::string quotedValue(std::string_view value);

/// The settings that differ between two configurations, as "memory: pinned → zero-copy"; empty when equal.
std::string describeChange(const PipelineConfig &from, const PipelineConfig &to);

} // namespace jetscope
