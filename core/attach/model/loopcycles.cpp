// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/loopcycles.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMinLoopRounds = 3; ///< From one pass to another; the first round comes before the first pass.
constexpr std::size_t kMaxEvery = 16;
constexpr std::size_t kManyPasses =
    8192; ///< Of so many, only small multiples are tried: this runs beside the recording.
constexpr std::size_t kFewEvery = 4;
constexpr std::size_t kMaxOfPlaces = 6;
constexpr std::size_t kMaxKindsOfRounds = 3; ///< Of rounds, at one place.
constexpr std::size_t kUnlikeThatPart = 8;   ///< So many rounds of other calls in a row end a loop.
constexpr double kAlike = 0.85;
constexpr double kAlikeInPlaces = 0.6;
constexpr double kMinOfItsTime = 0.4;
constexpr double kBurst = 0.125;          ///< Of the mean interval.
constexpr double kSingle = 0.98;          ///< So many passes by themselves are no bursts.
constexpr std::size_t kMostInBurst = 4;   ///< Waits that time tells apart, with no call between.
constexpr double kNearlyAlike = 0.6;      ///< Of the calls of two rounds, so many are equal.
constexpr double kNearlyAsLong = 4;       ///< Periods.
constexpr double kOfCalls = 0.5;          ///< Calls say less than time of what a loop covers.
constexpr double kStillGoesOn = 4;        ///< Periods since its last pass.
constexpr double kOfSeveralPasses = 0.97; ///< One pass a round says more.
constexpr double kOfPlaces = 0.9;
constexpr double kMakesObjects = 0.5; ///< What sets up is less likely to be the loop,
constexpr double kEarly = 0.5;        ///< and so is what ends early.
constexpr double kStrangePeriod = 0.85;
constexpr double kShortestMs = 0.3;
constexpr double kLongestMs = 2000;
constexpr double kOfFirstRound = 0.8; ///< So much of a round must stand before the first pass.
constexpr double kLongestFirst = 10;  ///< In periods.
constexpr std::size_t kMaxForeign = 64;

} // namespace

struct LoopCycles::Passes {
    std::vector<std::size_t> steps;
    std::int64_t burstNs = 0;
    bool hasBursts = false; ///< Told by time.
};

/// Sums from `from` to `to`, that one included, are those of the loop, but for some.
struct LoopCycles::Stretch {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t like = 0; ///< How many are alike.
    std::size_t every = 1;
    std::uint64_t sum = 0;
    std::int64_t likeNs = 0; ///< Their time.
    bool ofPlaces = false;
};

void LoopCycles::sum()
{
    m_sums.assign(1, 0);
    m_sums.reserve(m_steps.size() + 1);
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const bool isAgain = i > 0 && m_steps[i].waits && m_steps[i - 1].place == m_steps[i].place;
        m_sums.push_back(m_sums.back() + (isAgain ? 0 : m_steps[i].place));
    }
}

std::vector<std::size_t> LoopCycles::candidates(std::size_t most) const
{
    struct Place {
        std::size_t first = 0;
        std::size_t passes = 0;
        double ns = 0;
    };
    std::unordered_map<std::uint64_t, Place> places;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        if (m_steps[i].weight <= 0)
            continue;
        Place &place = places.try_emplace(m_steps[i].place, Place{i, 0, 0}).first->second;
        ++place.passes;
        place.ns += static_cast<double>(m_steps[i].endNs - m_steps[i].startNs + 1) * m_steps[i].weight;
    }
    std::vector<Place> order;
    for (const auto &[hash, place] : places)
        if (place.passes > kMinLoopRounds)
            order.push_back(place);
    std::sort(order.begin(), order.end(),
              [](const Place &a, const Place &b) { return a.ns != b.ns ? a.ns > b.ns : a.first < b.first; });
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < std::min(order.size(), most); ++i)
        steps.push_back(order[i].first);
    return steps;
}

/// The first pass of each burst.
LoopCycles::Passes LoopCycles::passesOf(std::size_t step) const
{
    Passes passes;
    std::vector<std::size_t> all;
    for (std::size_t i = step; i < m_steps.size(); ++i)
        if (m_steps[i].place == m_steps[step].place)
            all.push_back(i);
    const double meanNs = static_cast<double>(m_steps[all.back()].endNs - m_steps[all.front()].endNs)
        / static_cast<double>(std::max<std::size_t>(all.size() - 1, 1));
    passes.burstNs = static_cast<std::int64_t>(meanNs * kBurst);
    std::vector<std::size_t> apart; // With other calls between.
    for (const std::size_t at : all) {
        const bool isApart = at == step || m_steps[at - 1].place != m_steps[at].place;
        if (isApart)
            apart.push_back(at);
        if (isApart || m_steps[at].endNs - m_steps[at - 1].endNs >= passes.burstNs)
            passes.steps.push_back(at);
    }
    passes.hasBursts =
        !m_steps[step].waits && static_cast<double>(passes.steps.size()) < kSingle * static_cast<double>(all.size());
    // A loop that does nothing but wait is told by time only.
    if (m_steps[step].waits && apart.size() > kMinLoopRounds && passes.steps.size() <= apart.size() * kMostInBurst)
        passes = {std::move(apart), std::numeric_limits<std::int64_t>::max(), false};
    return passes;
}

/// Of the rounds between the passes: element i is that of `every` rounds behind pass i.
std::vector<std::uint64_t> LoopCycles::sumsOf(const Passes &passes, std::size_t every, bool ofPlaces) const
{
    std::vector<std::uint64_t> sums;
    std::unordered_set<std::uint64_t> seen;
    for (std::size_t i = 0; i + every < passes.steps.size(); ++i) {
        const std::size_t from = passes.steps[i] + 1;
        const std::size_t to = passes.steps[i + every] + 1;
        if (!ofPlaces) {
            sums.push_back(m_sums[to] - m_sums[from]);
            continue;
        }
        seen.clear();
        std::uint64_t sum = 0;
        for (std::size_t step = from; step < to; ++step)
            if (m_sums[step + 1] != m_sums[step] && seen.insert(m_steps[step].place).second)
                sum += m_steps[step].place;
        sums.push_back(sum);
    }
    return sums;
}

std::vector<FrameGuess> LoopCycles::loopsAt(std::size_t step, std::size_t rank, const LoopWindow &window) const
{
    std::vector<FrameGuess> loops;
    const Passes passes = passesOf(step);
    const std::size_t rounds = passes.steps.size() - 1;
    const bool waits = m_steps[step].weight >= 1;
    const std::size_t most = !waits ? 1 : rounds > kManyPasses ? kFewEvery : kMaxEvery;
    bool found = false;
    for (std::size_t every = 1; every <= most && rounds >= every * kMinLoopRounds && !found; ++every)
        found = addLoops(loops, passes, every, false, window);
    if (!found && waits && rank < kMaxOfPlaces && rounds >= kMinLoopRounds)
        addLoops(loops, passes, 1, true, window);
    return loops;
}

bool LoopCycles::addLoops(std::vector<FrameGuess> &loops, const Passes &passes, std::size_t every, bool ofPlaces,
                          const LoopWindow &window) const
{
    const std::vector<std::uint64_t> sums = sumsOf(passes, every, ofPlaces);
    const auto nsOf = [&](std::size_t i) {
        return m_steps[passes.steps[i + every]].endNs - m_steps[passes.steps[i]].endNs;
    };
    std::vector<std::pair<std::uint64_t, std::int64_t>> bySum;
    for (std::size_t i = 0; i < sums.size(); ++i)
        bySum.emplace_back(sums[i], nsOf(i));
    std::sort(bySum.begin(), bySum.end());
    std::vector<std::pair<std::int64_t, std::uint64_t>> kinds; // Time and sum.
    for (std::size_t i = 0; i < bySum.size(); ++i) {
        if (i == 0 || bySum[i].first != kinds.back().second)
            kinds.emplace_back(0, bySum[i].first);
        kinds.back().first += bySum[i].second;
    }
    std::partial_sort(kinds.begin(),
                      kinds.begin() + static_cast<std::ptrdiff_t>(std::min(kinds.size(), kMaxKindsOfRounds)),
                      kinds.end(), std::greater<>());
    bool found = false;
    for (std::size_t kind = 0; kind < std::min(kinds.size(), kMaxKindsOfRounds); ++kind) {
        const std::uint64_t sum = kinds[kind].second;
        Stretch stretch;
        stretch.every = every;
        stretch.sum = sum;
        stretch.ofPlaces = ofPlaces;
        const auto last = std::find(sums.rbegin(), sums.rend(), sum);
        stretch.to = stretch.from = static_cast<std::size_t>(sums.rend() - last) - 1;
        for (std::size_t i = stretch.to + 1, unlike = 0; i-- > 0 && unlike <= kUnlikeThatPart * every;) {
            unlike = sums[i] == sum ? 0 : unlike + 1;
            if (unlike > 0)
                continue;
            stretch.from = i;
            ++stretch.like;
            stretch.likeNs += nsOf(i);
        }
        const double alike = static_cast<double>(stretch.like) / static_cast<double>(stretch.to - stretch.from + 1);
        FrameGuess guess;
        if (stretch.like < std::max(kMinLoopRounds, every) || alike < (ofPlaces ? kAlikeInPlaces : kAlike))
            continue;
        found = true;
        if (describe(guess, passes, stretch, window))
            loops.push_back(guess);
    }
    return found;
}

double LoopCycles::gapAt(std::size_t step) const
{
    return step + 1 < m_steps.size() ? static_cast<double>(m_steps[step + 1].startNs - m_steps[step].endNs) : 0;
}

/// Of a round of several passes, the one behind which the thread does something else for the longest time.
std::size_t LoopCycles::bestPhase(const Passes &passes, const Stretch &stretch) const
{
    std::size_t best = 0;
    double longest = -1;
    for (std::size_t phase = 0; phase < stretch.every; ++phase) {
        double ns = 0;
        std::size_t count = 0;
        for (std::size_t i = stretch.from + phase; i <= stretch.to + stretch.every; i += stretch.every, ++count)
            ns += gapAt(passes.steps[i]);
        ns /= static_cast<double>(std::max<std::size_t>(count, 1));
        if (ns <= longest * 1.05)
            continue;
        longest = ns;
        best = phase;
    }
    return best;
}

bool LoopCycles::describe(FrameGuess &guess, const Passes &passes, Stretch stretch, const LoopWindow &window) const
{
    const std::size_t every = stretch.every;
    std::size_t first = stretch.from + bestPhase(passes, stretch);
    std::size_t last = first + (stretch.to + every - first) / every * every;
    const auto endAt = [&](std::size_t pass) { return m_steps[passes.steps[pass]].endNs; };
    if (last < first + every * kMinLoopRounds || endAt(last) <= endAt(first))
        return false;
    std::vector<std::int64_t> periods;
    for (std::size_t i = first; i + every <= last; i += every)
        periods.push_back(endAt(i + every) - endAt(i));
    const auto middle = periods.begin() + static_cast<std::ptrdiff_t>(periods.size() / 2);
    std::nth_element(periods.begin(), middle, periods.end());
    extend(first, last, passes, every, *middle);
    const LoopStep &step = m_steps[passes.steps[first]];
    guess.call = step.call;
    guess.site = step.site;
    guess.waits = step.weight >= 1;
    guess.every = static_cast<std::uint32_t>(every);
    guess.periodMs = static_cast<double>(*middle) / 1e6;
    guess.rounds = (last - first) / every;
    guess.burstNs = passes.burstNs;
    guess.hasBursts = passes.hasBursts;
    guess.signature = stretch.sum;
    guess.isOfPlaces = stretch.ofPlaces;
    bool makes = false;
    bool moves = false;
    for (std::size_t at = passes.steps[first] + 1; at <= passes.steps[first + every]; ++at) {
        makes = makes || m_steps[at].makes;
        moves = moves || m_steps[at].moves;
        guess.calls += m_sums[at + 1] != m_sums[at] ? 1 : 0;
    }
    guess.calls = std::max<std::uint64_t>(guess.calls, 1);
    if (!guess.waits && (!moves || guess.calls == 1)) // The layers of a network repeat, too.
        return false;
    const double likeNs = static_cast<double>(stretch.likeNs) / static_cast<double>(every);
    const auto allNs = static_cast<double>(endAt(stretch.to + every) - endAt(stretch.from));
    const double alike = static_cast<double>(stretch.like) / static_cast<double>(stretch.to - stretch.from + 1);
    guess.covers = coverOf(guess, stretch, window);
    guess.sure = std::min(likeNs / allNs, 1.0) * alike * (stretch.ofPlaces ? kOfPlaces : 1);
    const double meanNs = allNs / static_cast<double>(stretch.to + every - stretch.from) * static_cast<double>(every);
    if (guess.sure < kMinOfItsTime
        || (!window.hasEnded && static_cast<double>(window.endNs - endAt(last)) > kStillGoesOn * meanNs))
        return false;
    const double ofTime = static_cast<double>(endAt(last) - window.startNs)
        / static_cast<double>(std::max<std::int64_t>(window.endNs - window.startNs, 1));
    guess.score = guess.covers * alike * step.weight * (makes ? kMakesObjects : 1) * (kEarly + (1 - kEarly) * ofTime)
        * (every > 1 ? kOfSeveralPasses : 1) * (stretch.ofPlaces ? kOfPlaces : 1)
        * (guess.periodMs < kShortestMs || guess.periodMs > kLongestMs ? kStrangePeriod : 1);
    if (window.hasEnded)
        guess.endNs = endAt(last);
    findStart(guess, passes, first);
    return true;
}

/// By time, or by calls: a program may set up for seconds and then run for milliseconds.
double LoopCycles::coverOf(const FrameGuess &guess, const Stretch &stretch, const LoopWindow &window) const
{
    const auto every = static_cast<double>(stretch.every);
    const double ofTime = static_cast<double>(stretch.likeNs) / every
        / static_cast<double>(std::max<std::int64_t>(window.endNs - window.startNs, 1));
    const double ofCalls = static_cast<double>(stretch.like) / every * static_cast<double>(guess.calls)
        / static_cast<double>(std::max<std::uint64_t>(window.calls, 1));
    return std::min(std::max(ofTime, ofCalls * kOfCalls), 1.0);
}

/// To rounds before and behind that are nearly alike: the first ones make what the others use, the last ones have
/// nothing to fetch any more.
void LoopCycles::extend(std::size_t &first, std::size_t &last, const Passes &passes, std::size_t every,
                        std::int64_t periodNs) const
{
    using Counts = std::unordered_map<std::uint64_t, std::int64_t>;
    const auto callsOf = [&](std::size_t pass) {
        Counts calls;
        for (std::size_t at = passes.steps[pass] + 1; at <= passes.steps[pass + every]; ++at)
            if (m_sums[at + 1] != m_sums[at])
                ++calls[m_steps[at].place];
        return calls;
    };
    const auto number = [](const Counts &calls) {
        std::int64_t all = 0;
        for (const auto &[place, count] : calls)
            all += count;
        return all;
    };
    const Counts usual = callsOf(first);
    const std::int64_t usualNumber = number(usual);
    const auto isNearlyAlike = [&](std::size_t pass) {
        const Counts calls = callsOf(pass);
        std::int64_t both = 0;
        for (const auto &[place, count] : calls)
            if (const auto known = usual.find(place); known != usual.end())
                both += std::min(count, known->second);
        return static_cast<double>(both) >= kNearlyAlike * static_cast<double>(std::max(number(calls), usualNumber));
    };
    const auto isShort = [&](std::size_t pass) {
        const std::int64_t ns = m_steps[passes.steps[pass + every]].endNs - m_steps[passes.steps[pass]].endNs;
        return static_cast<double>(ns) <= kNearlyAsLong * static_cast<double>(periodNs);
    };
    // A long round is one of the loop if it lies between others.
    for (std::size_t pass = first; pass >= every && isNearlyAlike(pass - every); pass -= every)
        first = isShort(pass - every) ? pass - every : first;
    for (std::size_t pass = last; pass + every < passes.steps.size() && isNearlyAlike(pass); pass += every)
        last = isShort(pass) ? pass + every : last;
}

/// The first round ends with the first pass of the loop, if the steps before are those of a round; else it begins
/// there.
void LoopCycles::findStart(FrameGuess &guess, const Passes &passes, std::size_t first) const
{
    const std::size_t pass = passes.steps[first];
    std::unordered_map<std::uint64_t, std::int64_t> missing;
    std::int64_t all = 0;
    const auto counts = [this](std::size_t at) { return m_sums[at + 1] != m_sums[at] || at == 0; };
    for (std::size_t at = pass + 1; at <= passes.steps[first + guess.every]; ++at)
        if (counts(at)) {
            ++missing[m_steps[at].place];
            ++all;
        }
    guess.startNs = m_steps[pass].endNs;
    guess.firstEndNs = m_steps[passes.steps[first + guess.every]].endNs;
    std::int64_t matched = 0;
    std::int64_t startNs = m_steps[pass].startNs;
    std::size_t foreign = 0;
    for (std::size_t at = pass + 1; at-- > 0 && matched < all && foreign < kMaxForeign;) {
        if (!counts(at))
            continue;
        const auto expected = missing.find(m_steps[at].place);
        if (expected == missing.end()) {
            ++foreign;
            continue;
        }
        if (expected->second-- == 0)
            break;
        ++matched;
        startNs = m_steps[at].startNs;
    }
    const auto ns = static_cast<double>(m_steps[pass].endNs - startNs);
    if (static_cast<double>(matched) < kOfFirstRound * static_cast<double>(all)
        || ns > kLongestFirst * guess.periodMs * 1e6)
        return;
    guess.startNs = startNs;
    guess.firstEndNs = m_steps[pass].endNs;
    ++guess.rounds;
}

double LoopCycles::gapAfter(const FrameGuess &guess) const
{
    double ns = 0;
    std::size_t passes = 0;
    for (std::size_t i = 0; i + 1 < m_steps.size(); ++i)
        if (m_steps[i].call == guess.call && m_steps[i].site == guess.site && m_steps[i].endNs >= *guess.startNs) {
            ns += gapAt(i);
            ++passes;
        }
    return ns / static_cast<double>(std::max<std::size_t>(passes, 1));
}

} // namespace jetscope
