// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/probe/probetable.h"

#include "core/measure/probe/probepairs.h"

#include "core/settings/choices.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kAssumedSlack = 1.25;
constexpr double kMinRatio = 1.1;
constexpr double kMaxNoise = 0.6;

constexpr ProbeCost kProbeCosts[] = {
    {"launch", "launch of a kernel, without waiting"},
    {"launch_sync_spin", "launch and wait, spin"},
    {"launch_sync_yield", "launch and wait, yield"},
    {"launch_sync_block", "launch and wait, block"},
    {"event_record", "record of an event"},
    {"event_wait", "a stream's wait for an event, the call"},
    {"event_to_cpu", "event to the waiting CPU"},
    {"event_to_stream", "event to another stream and to the CPU"},
    {"host_function", "until a host function runs"},
    {"fence", "GL fence and the CPU's wait for it"},
    {"eglimage_turn", "turn GL, CUDA, GL with EGLImages"},
    {"gl_interop_turn", "turn GL, CUDA, GL with GL interop"},
    {"eglsync_turn", "turn GL, CUDA, GL with EGLSync"},
    {"register_host", "registration of a frame of host memory"},
    {"unregister_host", "end of that registration"},
    {"register_image", "registration of an EGLImage of a frame"},
    {"unregister_image", "end of that registration"},
    {"attach", "attachment of managed memory, call and wait"},
    {"prefetch", "prefetch of a frame of managed memory, call and wait"},
    {"pool", "allocation of a frame from a pool and its return, the calls"},
};

/// The interval, or the assumed one.
Estimate boundsOf(const ProbeFigure &figure)
{
    Estimate bounds = figure.estimate;
    if (!std::isfinite(bounds.atLeast) || !std::isfinite(bounds.atMost)) {
        bounds.atLeast = bounds.value / kAssumedSlack;
        bounds.atMost = bounds.value * kAssumedSlack;
    }
    return bounds;
}

/// Whether the noise is small enough for comparisons at all: rounds that differ by more have two kinds of values.
bool isSteady(const Estimate &bounds)
{
    // A time from a rate whose interval contains zero has no order of its bounds.
    return bounds.atLeast <= bounds.value && bounds.value <= bounds.atMost
        && bounds.atLeast >= bounds.value * (1 - kMaxNoise) && bounds.atMost <= bounds.value * (1 + kMaxNoise);
}

std::vector<std::string> makeProbeKeys()
{
    std::vector<std::string> keys;
    for (const std::string_view memory : probeMemories())
        for (const std::string_view access : kProbeAccesses)
            keys.push_back(memoryKey(memory, access));
    for (const std::string_view direction : kProbeDirections)
        for (const std::string_view memory : {"pageable", "pinned"})
            for (const std::size_t bytes : kProbeCopyBytes)
                keys.push_back(copyKey(direction, memory, bytes));
    for (const ProbeCost &cost : kProbeCosts)
        keys.emplace_back(cost.key);
    for (const Choice<MemoryKind> &kind : choices<MemoryKind>())
        for (std::string &key : pairKeys(kind.name))
            keys.push_back(std::move(key));
    return keys;
}

double between(double from, double to, double share)
{
    return from + (to - from) * share;
}

} // namespace

const std::vector<std::string_view> &probeMemories()
{
    static const std::vector<std::string_view> memories = [] {
        std::vector<std::string_view> names;
        for (const Choice<MemoryKind> &kind : choices<MemoryKind>())
            names.push_back(kind.name);
        names.emplace_back("device");
        return names;
    }();
    return memories;
}

std::span<const ProbeCost> probeCosts()
{
    return kProbeCosts;
}

std::string memoryKey(std::string_view memory, std::string_view access)
{
    return std::string(memory) + "." + std::string(access);
}

std::string copyKey(std::string_view direction, std::string_view memory, std::size_t bytes)
{
    return "copy." + std::string(direction) + "." + std::string(memory) + "." + std::to_string(bytes);
}

const std::vector<std::string> &probeKeys()
{
    static const std::vector<std::string> keys = makeProbeKeys();
    return keys;
}

bool isRate(std::string_view key)
{
    return key.find('.') != std::string_view::npos;
}

std::optional<double> ProbeFigure::noisePercent() const
{
    const double percent = std::ceil(100 * estimate.halfWidth() / estimate.value);
    return std::isfinite(percent) ? std::optional(percent) : std::nullopt;
}

const ProbeFigure *ProbeTable::find(const std::string &key) const
{
    const auto found = figures.find(key);
    return found == figures.end() || !found->second.known() ? nullptr : &found->second;
}

std::string ProbeTable::absence(const std::string &key) const
{
    const auto found = figures.find(key);
    return found == figures.end() ? "it was not measured" : found->second.unavailable;
}

ProbeRatio ratioOf(const ProbeFigure &a, const ProbeFigure &b)
{
    const Estimate from = boundsOf(a);
    const Estimate to = boundsOf(b);
    ProbeRatio result;
    result.ratio.value = b.estimate.value / a.estimate.value;
    result.ratio.atLeast = std::max(0.0, to.atLeast) / from.atMost;
    result.ratio.atMost = from.atLeast > 0 ? to.atMost / from.atLeast : std::numeric_limits<double>::infinity();
    const bool apart = to.atLeast > from.atMost || from.atLeast > to.atMost;
    result.differs =
        apart && isSteady(from) && isSteady(to) && std::max(result.ratio.value, 1 / result.ratio.value) >= kMinRatio;
    return result;
}

ProbeFigure rateOfSize(const ProbeTable &table, std::span<const std::size_t> sizes, std::size_t bytes,
                       const std::function<std::string(std::size_t)> &keyOf)
{
    const ProbeFigure *below = nullptr;
    const ProbeFigure *above = nullptr;
    std::size_t lower = 0;
    std::size_t upper = 0;
    for (const std::size_t size : sizes) {
        const ProbeFigure *figure = table.find(keyOf(size));
        if (figure && size <= bytes) {
            below = figure;
            lower = size;
        } else if (figure && !above) {
            above = figure;
            upper = size;
        }
    }
    if (!below && !above) {
        ProbeFigure none;
        none.unavailable = table.absence(keyOf(sizes.back()));
        return none;
    }
    if (!below || !above)
        return below ? *below : *above;
    // Times grow with the size; rates do not.
    const double share = static_cast<double>(bytes - lower) / static_cast<double>(upper - lower);
    const auto mixed = [&](double slow, double fast) {
        return static_cast<double>(bytes)
            / between(static_cast<double>(lower) / slow, static_cast<double>(upper) / fast, share);
    };
    const Estimate one = boundsOf(*below);
    const Estimate other = boundsOf(*above);
    ProbeFigure figure;
    figure.estimate = {mixed(one.value, other.value), mixed(one.atLeast, other.atLeast),
                       mixed(one.atMost, other.atMost)};
    figure.rounds = std::min(below->rounds, above->rounds);
    return figure;
}

ProbeFigure copyRate(const ProbeTable &table, std::string_view direction, std::string_view memory, std::size_t bytes)
{
    return rateOfSize(table, kProbeCopyBytes, bytes,
                      [&](std::size_t size) { return copyKey(direction, memory, size); });
}

} // namespace jetscope
