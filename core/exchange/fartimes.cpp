// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/fartimes.h"

#include "core/trace/timelimits.h"
#include "core/trace/watchedsort.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace jetscope {

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
// A pause this long does not happen within a recording. Where a producer wrote 0, it is the time since the machine
// started, or since 1970.
constexpr std::int64_t kImpossiblePauseNs = 24 * 3600 * kNsPerSecond;
constexpr std::int64_t kImpossiblePauseAfterZeroNs = 60 * kNsPerSecond;

std::int64_t timesNs(std::int64_t factor, std::int64_t ns)
{
    return ns > kMaxTraceNs / factor ? kMaxTraceNs : ns * factor;
}

std::int64_t pauseLimit(std::int64_t lengthNs)
{
    return std::max(kImpossiblePauseNs, timesNs(1000, lengthNs));
}

std::int64_t zeroLimit(std::int64_t lengthNs)
{
    return std::max(kImpossiblePauseAfterZeroNs, timesNs(100, lengthNs));
}

struct TimeRun {
    std::size_t first = 0;
    std::size_t last = 0; ///< Inclusive.
};

/// The longest run of times without a pause.
TimeRun longestRun(const std::vector<std::int64_t> &starts)
{
    TimeRun best;
    TimeRun run;
    for (std::size_t i = 1; i < starts.size(); ++i) {
        if (starts[i] - starts[i - 1] > kImpossiblePauseNs)
            run.first = i;
        run.last = i;
        if (run.last - run.first > best.last - best.first)
            best = run;
    }
    return best;
}

} // namespace

bool mayHaveFarTimes(std::int64_t firstNs, std::int64_t lastNs, bool hasZero)
{
    return lastNs > firstNs && lastNs - firstNs > (hasZero ? kImpossiblePauseAfterZeroNs : kImpossiblePauseNs);
}

std::optional<PlausibleTimes> plausibleTimes(std::vector<std::int64_t> starts, std::int64_t zeroNs, Progress &progress,
                                             double fraction)
{
    const PlausibleTimes everything{{-kMaxTraceNs, kMaxTraceNs}, std::numeric_limits<std::int64_t>::max()};
    const auto zeros = static_cast<std::size_t>(std::erase(starts, zeroNs));
    if (!watchedStableSort(starts, std::less<>(), progress, fraction))
        return std::nullopt;
    // Where half of the events or more are elsewhere, nothing says which of them are right.
    const TimeRun run = starts.empty() ? TimeRun() : longestRun(starts);
    if (starts.empty() || (run.last - run.first + 1) * 2 <= starts.size() + zeros)
        return everything;
    PlausibleTimes found{{starts[run.first], starts[run.last]}, 0};
    const auto length = [&] { return found.starts.endNs - found.starts.startNs; };
    for (std::size_t i = run.last + 1; i < starts.size() && starts[i] - found.starts.endNs <= pauseLimit(length()); ++i)
        found.starts.endNs = starts[i];
    for (std::size_t i = run.first; i > 0 && found.starts.startNs - starts[i - 1] <= pauseLimit(length()); --i)
        found.starts.startNs = starts[i - 1];
    if (zeros > 0 && zeroNs < found.starts.startNs && found.starts.startNs - zeroNs <= zeroLimit(length()))
        found.starts.startNs = zeroNs;
    if (zeros > 0 && zeroNs > found.starts.endNs && zeroNs - found.starts.endNs <= zeroLimit(length()))
        found.starts.endNs = zeroNs;
    found.latestEndNs = found.starts.endNs + std::min(pauseLimit(timesNs(10, length())), kMaxTraceNs);
    return found;
}

} // namespace jetscope
