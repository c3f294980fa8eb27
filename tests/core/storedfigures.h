// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framefigures.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jetscope::test {

/// The figures of a frame that traces and files keep. Tests that compare them find each place that loses one.
inline std::vector<std::int64_t> storedFigures(const FrameFigures &figures)
{
    // A new member is an amount, a field, or one of these four that are not kept.
    constexpr std::size_t kNotKept = 4 * sizeof(std::int64_t);
    static_assert(sizeof(FrameFigures) == sizeof(FrameAmounts) + sizeof(Overlap) + 4 * sizeof(std::int64_t) + kNotKept);
    std::vector<std::int64_t> values;
    for (const FrameField &field : frameFields())
        values.push_back(field.get(figures));
    return values;
}

/// Whether each stored figure differs from 0 in at least one frame; a figure that is always 0 would not be missed.
inline bool everyFigureOccurs(std::span<const FrameFigures> frames)
{
    std::vector<bool> occurs(frameFields().size());
    for (const FrameFigures &frame : frames)
        for (std::size_t i = 0; i < occurs.size(); ++i)
            occurs[i] = occurs[i] || storedFigures(frame)[i] != 0;
    return std::all_of(occurs.begin(), occurs.end(), [](bool occurred) { return occurred; });
}

} // namespace jetscope::test
