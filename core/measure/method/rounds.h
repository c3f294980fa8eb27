// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/method/comparison.h"
#include "core/measure/method/turns.h"
#include "core/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// The figures that a step measures in one round.
using RoundFigures = std::vector<std::pair<std::string, double>>;

/// A step of a round: measures one or several figures. `keys` are all that it can give. After an error it is not run
/// again, and its keys have failed for that reason.
struct RoundStep {
    std::vector<std::string> keys;
    std::function<Status(RoundFigures &to)> run;
};

struct RoundsMethod {
    std::size_t fewest = kMinRounds; ///< Below that there is no verdict: measured whatever the budget is.
    std::size_t most = 15;
    std::int64_t budgetNs = 60'000'000'000;
    std::uint32_t seed = 1;
    std::function<std::int64_t()> clock; ///< Null: nowNs.
};

/// The figures of one key, by round.
struct RoundSeries {
    std::vector<double> rounds; ///< NaN where a round lacks it.
    std::string failure;        ///< Empty unless its step failed, or no round gave a value.

    std::size_t count() const; ///< Of finite figures.
    Estimate estimate() const { return estimateOf(rounds); }
};

/// Runs steps by shuffled turns. The first round warms up and is not counted. Ends after `most` rounds, or when the
/// next round would not fit into the budget and there are `fewest`. One thread; a call of `step` lasts as long as its
/// step.
class Rounds {
public:
    explicit Rounds(std::vector<RoundStep> steps, RoundsMethod method = {});

    bool isOver() const { return !m_turns.next(); }
    /// Runs the next step.
    void step();
    /// Ends at once, such as after the loss of the device: keys without figures have failed for this reason.
    void stop(const std::string &reason);

    std::size_t completeRounds() const { return std::max<std::size_t>(1, m_turns.completeRounds()) - 1; }
    /// Why it was stopped; empty if it was not.
    const std::string &stopReason() const { return m_stopReason; }
    bool isEnough() const { return completeRounds() >= m_method.fewest; }
    /// The expected time of `fewest` rounds, if the budget is less; empty before the first round has ended.
    std::optional<std::int64_t> longerNs() const;
    double progress() const { return m_turns.progress(); } ///< 0..1
    std::optional<std::int64_t> remainingNs() const { return m_turns.remainingNs(); }
    /// The error of the step that was run last; empty if it succeeded.
    const std::optional<Error> &lastError() const { return m_lastError; }

    const RoundSeries *find(const std::string &key) const;
    const std::map<std::string, RoundSeries> &all() const { return m_series; }

private:
    std::vector<RoundStep> m_steps;
    RoundsMethod m_method;
    Turns m_turns; ///< Round 0 warms up.
    std::map<std::string, RoundSeries> m_series;
    std::optional<Error> m_lastError;
    std::string m_stopReason;
};

} // namespace jetscope
