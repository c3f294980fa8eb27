// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/framenames.h"
#include "core/figures/overlap.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// A frame of another program's trace.
struct FramePeriod {
    std::uint32_t frame = 0;
    Interval time;
};

/// Something in a trace that may be a frame: a range, or a mark, whose frame lasts until the next mark.
struct FrameCandidate {
    std::string text;
    std::uint64_t thread = 0;
    Interval time;
    bool isMark = false;
    FrameSign sign = FrameSign::SaysFrame;
    bool onDevice = false; ///< A range of the CPU that a profiler has drawn on the GPU once more.
};

/// The frames of a trace, and how they were found.
struct FoundFrames {
    std::vector<FramePeriod> periods;
    FrameSign sign = FrameSign::SaysFrame;
    std::uint64_t thread = 0;
    bool isMark = false;
    std::string name; ///< What their texts have in common.

    bool takes(const FrameCandidate &candidate) const;
    /// A sentence for the notes of an import.
    std::string howFound(const FrameNames &names) const;
};

/// The frames among the candidates: of those with the best sign the largest group of equal text (numbers aside), thread
/// and kind. Numbered as their texts say if those rise, else from 0 on. Where a frame begins before the last one ends,
/// that one ends there. None when it was cancelled; `fraction` is where the work as a whole stands.
std::optional<FoundFrames> findFrames(std::vector<FrameCandidate> candidates, std::int64_t lastNs, Progress &progress,
                                      double fraction);

/// Gives the trace the figures of these frames, as FrameMetricsBuilder makes them. False when it was cancelled.
bool addFrames(Trace &trace, const std::vector<FramePeriod> &periods, Progress &progress, double from, double to);

} // namespace jetscope
