// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/advice/trial.h"

#include "core/enumtable.h"
#include "core/text/numbertext.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr auto kTrialVerdicts = enumWords<TrialVerdict>({"faster", "slower", "no difference", "refused", "unfinished"});

constexpr std::size_t kTurnsForClear = 6;
/// Multiple of the noise at which the result is clear before the time limit.
constexpr double kClear = 1.3;
/// A smaller difference is not worth a change, even if it is certain.
constexpr double kMinDifference = ComparisonMethod().least;

} // namespace

std::string_view verdictName(TrialVerdict verdict)
{
    return kTrialVerdicts[static_cast<std::size_t>(verdict)];
}

TrialOutcome outcomeOf(const Difference &difference)
{
    TrialOutcome outcome;
    if (difference.units == 0)
        return outcome;
    outcome.turns = difference.units;
    outcome.ratio = difference.ratio.value;
    outcome.noise = difference.ratio.halfWidth();
    outcome.verdict = difference.verdict == Comparison::Unchanged ? TrialVerdict::Same
        : difference.verdict == Comparison::Better                ? TrialVerdict::Faster
                                                                  : TrialVerdict::Slower;
    return outcome;
}

bool isClear(const TrialOutcome &outcome)
{
    const double difference = std::abs(outcome.ratio - 1);
    return outcome.turns >= kTurnsForClear
        && (outcome.verdict == TrialVerdict::Same ? difference + outcome.noise < 2 * kMinDifference
                                                  : difference > kClear * outcome.noise);
}

std::string outcomeWords(const TrialOutcome &outcome)
{
    switch (outcome.verdict) {
    case TrialVerdict::Faster:
        return "faster by " + percentNumber(1 - outcome.ratio) + " % (±" + percentNumber(outcome.noise) + ")";
    case TrialVerdict::Slower:
        return "slower by " + percentNumber(outcome.ratio - 1) + " % (±" + percentNumber(outcome.noise) + ")";
    case TrialVerdict::Same:
        return "no difference beyond ±" + percentNumber(std::max(outcome.noise, kMinDifference)) + " %";
    case TrialVerdict::Refused:
        return "not possible: " + outcome.reason;
    case TrialVerdict::Unfinished:
        break;
    }
    return "not finished: " + outcome.reason;
}

const Candidate *adviceOf(std::span<const TriedCandidate> list)
{
    for (const TriedCandidate &entry : list)
        if (!entry.tried && !entry.candidate.replaced)
            return &entry.candidate;
    return nullptr;
}

} // namespace jetscope
