// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/framefigures.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

namespace jetscope {

namespace {

/// A member of the figures or of their overlap.
template <auto member, class Figures>
auto &placeIn(Figures &figures)
{
    if constexpr (std::is_invocable_v<decltype(member), FrameFigures &>)
        return figures.*member;
    else
        return figures.overlap.*member;
}

/// More bytes than files can hold are cut.
template <auto member>
std::int64_t valueIn(const FrameFigures &figures)
{
    const auto &place = placeIn<member>(figures);
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    return std::cmp_less(place, kMost) ? static_cast<std::int64_t>(place) : kMost;
}

template <auto member>
void setIn(FrameFigures &figures, std::int64_t value)
{
    auto &place = placeIn<member>(figures);
    using Value = std::remove_reference_t<decltype(place)>;
    place = static_cast<Value>(std::is_signed_v<Value> ? value : std::max(std::int64_t{0}, value));
}

template <auto member>
constexpr FrameField fieldOf(std::string_view name)
{
    return {name, valueIn<member>, setIn<member>};
}

constexpr FrameField optional(FrameField field)
{
    field.isRequired = false;
    return field;
}

constexpr FrameField negative(FrameField field)
{
    field.mayBeNegative = true;
    return field;
}

constexpr FrameField kFields[] = {
    fieldOf<&FrameFigures::frame>("frame"),
    fieldOf<&FrameFigures::startNs>(kFrameStartField),
    fieldOf<&Overlap::periodNs>("period_ns"),
    fieldOf<&Overlap::cpuNs>("cpu_ns"),
    fieldOf<&Overlap::gpuNs>("gpu_ns"),
    fieldOf<&Overlap::bothNs>("both_ns"),
    fieldOf<&Overlap::idleNs>("idle_ns"),
    fieldOf<&FrameAmounts::waitSyncNs>("wait_sync_ns"),
    fieldOf<&FrameAmounts::waitMemoryNs>("wait_memory_ns"),
    fieldOf<&FrameAmounts::waitSlotNs>("wait_slot_ns"),
    fieldOf<&FrameAmounts::waitInputNs>("wait_input_ns"),
    fieldOf<&FrameFigures::frameNs>("frame_ns"),
    negative(fieldOf<&FrameFigures::latencyNs>("latency_ns")), // Clocks may differ.
    fieldOf<&FrameAmounts::bytesCopied>("bytes_copied"),
    optional({"gpu_at_least_ns", [](const FrameFigures &f) { return f.overlap.gpuAtLeastNs(); },
              [](FrameFigures &f, std::int64_t ns) { f.overlap.gpuBoundedNs = f.overlap.gpuNs - ns; }}),
    optional({"both_at_least_ns", [](const FrameFigures &f) { return f.overlap.bothAtLeastNs(); },
              [](FrameFigures &f, std::int64_t ns) { f.overlap.bothBoundedNs = f.overlap.bothNs - ns; }}),
};

} // namespace

std::span<const FrameField> frameFields()
{
    return kFields;
}

} // namespace jetscope
