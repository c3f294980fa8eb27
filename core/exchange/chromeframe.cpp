// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromeframe.h"

#include "core/exchange/jsontoken.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace jetscope {

namespace {

/// By argument name, in the order in which they are written. The last two are -1 if missing.
std::array<std::int64_t, 15> frameValues(const ChromeEvent &event)
{
    static constexpr std::array<std::string_view, 15> kNames = {
        "frame",    "period_ns",    "cpu_ns",         "gpu_ns",          "both_ns",
        "idle_ns",  "wait_sync_ns", "wait_memory_ns", "wait_slot_ns",    "wait_input_ns",
        "frame_ns", "latency_ns",   "bytes_copied",   "gpu_at_least_ns", "both_at_least_ns"};
    std::array<std::int64_t, 15> values{};
    values[13] = values[14] = -1;
    std::size_t expected = 0;
    for (const ChromeArgument &argument : event.arguments) {
        if (expected >= kNames.size() || kNames[expected] != argument.key)
            expected = static_cast<std::size_t>(std::find(kNames.begin(), kNames.end(), argument.key) - kNames.begin());
        if (expected < kNames.size())
            values[expected++] = std::clamp(wholeNumberOf(argument.value).value_or(0), -kMostTraceNs, kMostTraceNs);
    }
    return values;
}

} // namespace

std::optional<FrameFigures> figuresOfEvent(const ChromeEvent &event, std::int64_t startNs)
{
    const auto v = frameValues(event);
    if (v[0] < 0 || v[0] > std::int64_t{kNoFrame} || !isTracePiece(startNs, v[1]))
        return std::nullopt;
    FrameFigures figures;
    figures.frame = static_cast<std::uint32_t>(v[0]);
    figures.startNs = startNs;
    figures.overlap = {v[1], v[2], v[3], v[4], v[5], v[13] < 0 ? 0 : v[3] - v[13], v[14] < 0 ? 0 : v[4] - v[14]};
    figures.waitSyncNs = v[6];
    figures.waitMemoryNs = v[7];
    figures.waitSlotNs = v[8];
    figures.waitInputNs = v[9];
    figures.frameNs = v[10];
    figures.latencyNs = v[11];
    figures.bytesCopied = static_cast<std::uint64_t>(std::max(std::int64_t{0}, v[12]));
    return figures;
}

} // namespace jetscope
