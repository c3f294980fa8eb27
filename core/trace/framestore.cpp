// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/framestore.h"

namespace jetscope {

void FrameNode::add(const FrameNode &next)
{
    endNs = next.endNs;
    times.periodNs += next.times.periodNs;
    times.cpuNs += next.times.cpuNs;
    times.gpuNs += next.times.gpuNs;
    times.bothNs += next.times.bothNs;
    times.idleNs += next.times.idleNs;
    eachFrameAmount([&](auto member) { this->*member = saturatingSum(this->*member, next.*member); });
    longestPeriodNs = std::max(longestPeriodNs, next.longestPeriodNs);
}

namespace {

bool canBePacked(const FrameFigures &figures, std::int64_t offsetNs)
{
    const Overlap &overlap = figures.overlap;
    for (const std::int64_t ns :
         {offsetNs, overlap.periodNs, overlap.cpuNs, overlap.gpuNs, overlap.bothNs, figures.frameNs, figures.latencyNs})
        if (!fitsPacked(ns))
            return false;
    bool fit = true;
    eachFrameAmount([&](auto member) {
        const auto value = figures.*member;
        fit = fit && std::cmp_greater_equal(value, 0) && std::cmp_less(value, kEscape);
    });
    return fit && overlap.idleNs == overlap.periodNs - (overlap.cpuNs + overlap.gpuNs - overlap.bothNs);
}

/// For values that do not fit, the escape table stores the full value.
template <class Number>
std::uint32_t cut(Number value)
{
    return static_cast<std::uint32_t>(value);
}

} // namespace

FrameRest FrameRest::of(const FrameFigures &figures)
{
    FrameRest rest{{}, cut(figures.frameNs), cut(figures.latencyNs)};
    auto packed = rest.amounts.begin();
    eachFrameAmount([&](auto member) { *packed++ = cut(figures.*member); });
    return rest;
}

PackedFrame PackedFrame::of(const FrameFigures &figures, std::int64_t offsetNs)
{
    const Overlap &overlap = figures.overlap;
    if (!canBePacked(figures, offsetNs))
        return {0, figures.frame, kEscape, 0, 0, 0};
    return {cut(offsetNs),      figures.frame,      cut(overlap.periodNs),
            cut(overlap.cpuNs), cut(overlap.gpuNs), cut(overlap.bothNs)};
}

} // namespace jetscope
