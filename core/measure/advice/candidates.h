// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"
#include "core/settings/devicefacts.h"
#include "core/settings/pipelineconfig.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The metric that a choice should reduce.
enum class AdviceMetric : std::uint8_t {
    Period,  ///< From frame to frame.
    Latency, ///< Of one frame, pipeline start to output complete; used if the source's frame rate determines the
             ///< period.
};
std::string_view metricName(AdviceMetric metric);  ///< As used in files: "period", "latency".
std::string_view metricWords(AdviceMetric metric); ///< Text for users: "period", "frame time".

/// Below this share of the metric a trial is not worthwhile: the variation of machines is not smaller.
inline constexpr double kMinAtMost = 0.03;

/// A choice that could remove, shorten or hide a piece of the critical path.
struct Candidate {
    std::string key; ///< As accepted by applySetting.
    std::string value;
    AdviceMetric metric = AdviceMetric::Period;
    double atMost = 0; ///< Upper bound of the reduction by the critical path, as a share of the metric, 0..1.
    std::string basis; ///< One sentence: the piece and why this choice affects it.
    /// Other work replaces the piece, and its cost is unknown until it was tried on this device. Such a choice can be
    /// tried but is not recommended untried.
    bool replaced = false;

    std::string setting() const { return key + "=" + value; }
};

/// Choices that are legal on the device, differ from `config` and affect a piece of the path. Sorted by `atMost`,
/// greatest first, in steps of 0.1 %; then by the effort of the change (wait policy, synchronization, frames in flight,
/// streams, output, memory, CPU stage); then by number, and by name, which has no meaning. Empty for a path of only a
/// few frames. `waitInForce`: the policy that Auto resolved to.
std::vector<Candidate> candidatesFor(const PathSummary &path, const PipelineConfig &config, const DeviceFacts &facts,
                                     WaitPolicy waitInForce);

/// Returns `config` with the candidate's choice applied.
PipelineConfig withCandidate(PipelineConfig config, const Candidate &candidate);

} // namespace jetscope
