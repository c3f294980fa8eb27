// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/headroom.h"
#include "core/figures/overlap.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

namespace jetscope {

/// What Jetscope shows of frames, in the order of all tables (definitions: resources/docs/figures.md). Each has a row
/// in figuretable.cpp, which says everything else.
enum class Figure : std::uint8_t {
    Rate,
    Period,
    FrameP50,
    FrameP99,
    Latency,
    Overlap,
    Headroom,
    Parallelism,
    Blocked,
    WaitSync,
    WaitMemory,
    WaitSlot,
    WaitInput,
    CpuBusy,
    GpuBusy,
    BytesCopied,
    CpuUse,
    Energy,
};

/// What is summed over frames. Signed ones are times in nanoseconds within the period.
struct FrameAmounts {
    std::int64_t waitSyncNs = 0;   ///< On the pipeline thread.
    std::int64_t waitMemoryNs = 0; ///< On the pipeline thread.
    std::int64_t waitSlotNs = 0;   ///< On the pipeline thread.
    std::int64_t waitInputNs = 0;  ///< On the pipeline thread.
    std::uint64_t bytesCopied = 0; ///< By copies that the pipeline requested.

    std::int64_t blockedNs() const { return waitSyncNs + waitMemoryNs; }
    const FrameAmounts &amounts() const { return *this; } ///< This part of a larger record.
};

/// Tables, sums and files read this list.
inline constexpr std::tuple kFrameAmounts{&FrameAmounts::waitSyncNs, &FrameAmounts::waitMemoryNs,
                                          &FrameAmounts::waitSlotNs, &FrameAmounts::waitInputNs,
                                          &FrameAmounts::bytesCopied};
inline constexpr std::size_t kFrameAmountCount = std::tuple_size_v<decltype(kFrameAmounts)>;
static_assert(sizeof(FrameAmounts) == kFrameAmountCount * sizeof(std::int64_t), "an amount is not in the list");

/// `visit(member)` for each, in the order of the list.
template <class Visit>
constexpr void eachFrameAmount(Visit visit)
{
    std::apply([&](auto... members) { (visit(members), ...); }, kFrameAmounts);
}

/// The figures of one frame. Its period lasts from its start on the pipeline thread to the start of the next frame.
/// Times are nanoseconds.
struct FrameFigures : FrameAmounts {
    std::uint32_t frame = 0;
    std::int64_t startNs = 0;
    Overlap overlap;            ///< C, G, both and idle of the period.
    std::int64_t frameNs = 0;   ///< Pipeline start to output complete; 0 while unknown.
    std::int64_t latencyNs = 0; ///< Capture timestamp to output complete or swap; 0 while unknown.
    bool traced = true;         ///< False: spans are missing by design, so busy times and waits are invalid.

    // For headroom, in frames that come from the pipeline; traces and captures have spans and counters instead.
    std::int64_t captureBusyNs = 0; ///< Capture thread work since the previous frame; as spans arrive.
    std::int64_t viewBusyNs = 0;    ///< The same for the view.
    std::int64_t sourcePeriodNs = kSourcePeriodUnknown;

    std::int64_t periodNs() const { return overlap.periodNs; }
};

/// A column of the frames in captures, Chrome traces and CSV files.
struct FrameField {
    std::string_view name;
    std::int64_t (*get)(const FrameFigures &);
    void (*set)(FrameFigures &, std::int64_t value); ///< Called in the order of the columns, for those that are there.
    bool isRequired = true;                          ///< False: older files lack it.
    bool mayBeNegative = false;
};
inline constexpr std::string_view kFrameStartField = "start_ns";
/// All that traces and files keep of a frame, its number first. New ones at the end (figuretable.cpp).
std::span<const FrameField> frameFields();

} // namespace jetscope
