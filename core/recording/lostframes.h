// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/enumtable.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Why frames that a source has numbered are missing: each number has one cause.
enum class LossCause : std::uint8_t {
    SourceGap,   ///< They never came out of the source, although a buffer was empty for them: sensor, cable, network.
    NoBuffer,    ///< The camera's driver had no empty buffer: the program held them.
    LateDequeue, ///< They were in the driver's buffers, or found these full, because they were taken late.
    Overtaken,   ///< The pipeline was late, and a newer frame took their place in its queue.
    NotShown,    ///< The view was late, and a newer frame took their place.
    Damaged,     ///< Empty, marked as damaged, undecodable, or part of a picture.
    Unwanted,    ///< The pipeline took none while it was changed.
};

struct LossCauseRow {
    LossCause cause;
    std::string_view key;  ///< In captures and JSON; never changes.
    std::string_view says; ///< "no buffer queued"
};

inline constexpr auto kLossCauses = std::to_array<LossCauseRow>({
    {LossCause::SourceGap, "source-gap", "the source's own gap"},
    {LossCause::NoBuffer, "no-buffer", "no buffer queued"},
    {LossCause::LateDequeue, "late-dequeue", "dequeued late"},
    {LossCause::Overtaken, "overtaken", "overtaken in the queue"},
    {LossCause::NotShown, "not-shown", "not shown"},
    {LossCause::Damaged, "damaged", "damaged"},
    {LossCause::Unwanted, "unwanted", "lost in a change of the pipeline"},
});
static_assert(hasEveryRow(kLossCauses, &LossCauseRow::cause));

constexpr const LossCauseRow &rowOf(LossCause cause)
{
    return kLossCauses[static_cast<std::size_t>(cause)];
}

/// Consecutive numbers that are missing for one cause.
struct LostFrames {
    std::uint64_t first = 0; ///< The source's number.
    std::uint64_t count = 1;
    LossCause cause = LossCause::SourceGap;
    std::int64_t timeNs = 0; ///< About when the first of them was lost.
    std::string evidence;    ///< What was measured that says so, as a sentence without its end.

    friend bool operator==(const LostFrames &, const LostFrames &) = default;
};

/// That are told at once.
inline constexpr std::size_t kMostLossRows = 256;

/// How many frames are missing, by cause.
struct LossCounts {
    std::array<std::uint64_t, kLossCauses.size()> of{};

    std::uint64_t &operator[](LossCause cause) { return of[static_cast<std::size_t>(cause)]; }
    std::uint64_t operator[](LossCause cause) const { return of[static_cast<std::size_t>(cause)]; }
    std::uint64_t sum() const;
    void add(const LostFrames &lost) { (*this)[lost.cause] += lost.count; }

    friend bool operator==(const LossCounts &, const LossCounts &) = default;
};
/// Those since an earlier count.
LossCounts operator-(const LossCounts &to, const LossCounts &from);

/// "5 overtaken in the queue, 2 damaged"; empty if there is none.
std::string lossText(const LossCounts &counts);

/// Adds consecutive numbers with one cause and evidence to the row before. Of a list that is full, the last row of the
/// cause takes the numbers, and says that it does: no frame is lost from the sums.
void append(std::vector<LostFrames> &rows, LostFrames lost, std::size_t mostRows);

/// The numbers [first, first + count) with a cause each: what a source told of them, in their order, and for numbers
/// that it told nothing of its own gap. What it told of other numbers is left out.
std::vector<LostFrames> accountedFor(std::uint64_t first, std::uint64_t count, const std::vector<LostFrames> &told,
                                     std::int64_t timeNs);

} // namespace jetscope
