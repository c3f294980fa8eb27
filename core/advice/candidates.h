// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "core/path/pathsummary.h"
#include "core/pipelineconfig.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// What a choice is to make shorter.
enum class AdviceMetric : std::uint8_t {
    Period,  ///< From frame to frame.
    Latency, ///< Of one frame, pipeline start to output complete: the source's own pace decides the period.
};
std::string_view metricName(AdviceMetric metric);  ///< In files: "period", "latency".
std::string_view metricWords(AdviceMetric metric); ///< For users: "period", "frame time".

/// Below this share of the metric a choice is not worth a trial: machines are not steadier than that.
inline constexpr double kLeastAtMost = 0.03;

/// A choice that could remove, shorten or hide a piece of the critical path.
struct Candidate {
    std::string key; ///< As applySetting takes it.
    std::string value;
    AdviceMetric metric = AdviceMetric::Period;
    double atMost = 0; ///< Share of the metric that can go, 0..1: an upper bound, by the path.
    std::string basis; ///< Which piece, and why this choice touches it: one sentence.
    /// Something else takes the piece's place, of which nothing is known on this device before it was tried. Such a
    /// choice can be tried, but nobody is advised to take it.
    bool replaced = false;

    std::string setting() const { return key + "=" + value; }
};

/// Choices that are legal on the device, differ from `config` and touch a piece of the path: the greatest `atMost`
/// first, by tenths of a percent; of equal ones the change that costs least to make (waiting otherwise, then another
/// synchronisation, number of frames in flight, of streams, output, memory, CPU stage); then the smaller number, then
/// by name, which means nothing. None for a path of a few frames. `waitInForce`: what the policy Auto came to.
std::vector<Candidate> candidatesFor(const PathSummary &path, const PipelineConfig &config, const DeviceFacts &facts,
                                     WaitPolicy waitInForce);

/// `config` with the candidate's choice.
PipelineConfig withCandidate(PipelineConfig config, const Candidate &candidate);

} // namespace jetscope
