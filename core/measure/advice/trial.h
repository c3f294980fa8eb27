// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/advice/candidates.h"
#include "core/measure/method/comparison.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jetscope {

enum class TrialVerdict : std::uint8_t {
    Faster,
    Slower,
    Same,       ///< No difference beyond the noise.
    Refused,    ///< The pipeline rejected the change.
    Unfinished, ///< Too few turns for a result.
};
std::string_view
verdictName(TrialVerdict verdict); ///< As used in files: "faster", "slower", "no difference", "refused", "unfinished".

struct TrialOutcome {
    TrialVerdict verdict = TrialVerdict::Unfinished;
    double ratio = 1; ///< The metric with the candidate divided by the metric without; below 1 is faster.
    double noise = std::numeric_limits<double>::infinity(); ///< Half the width of the ratio's 99 % interval.
    std::size_t turns = 0;
    std::string reason; ///< One sentence if the trial was refused or unfinished.

    /// Whether the trial compared the two configurations.
    bool isMeasured() const { return verdict <= TrialVerdict::Same; }
};
/// Of the turns so far.
TrialOutcome outcomeOf(const Difference &difference);
/// Whether there were enough turns, and more would not change the verdict.
bool isClear(const TrialOutcome &outcome);
/// "faster by 12 % (±2 %)", "no difference beyond ±1.3 %", or the reason for the missing result.
std::string outcomeWords(const TrialOutcome &outcome);

/// A candidate with the outcome of its trial, if any.
struct TriedCandidate {
    Candidate candidate;
    std::optional<TrialOutcome> tried;
};
/// The candidate to try first: the first untried one whose piece is not replaced. Null if there is none.
const Candidate *adviceOf(std::span<const TriedCandidate> list);

} // namespace jetscope
