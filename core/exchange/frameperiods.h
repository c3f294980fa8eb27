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
#include <utility>
#include <vector>

namespace jetscope {

/// A frame of another program's trace.
struct FramePeriod {
    std::uint32_t frame = 0;
    Interval time;
};

/// A range or mark in a trace that may be a frame. The frame of a mark lasts until the next mark.
struct FrameCandidate {
    std::string text;
    std::uint64_t thread = 0;
    Interval time;
    bool isMark = false;
    FrameSign sign = FrameSign::SaysFrame;
    bool onDevice = false; ///< A CPU range that a profiler repeats on the GPU.
};

/// The frames of a trace and how they were found.
struct FoundFrames {
    std::vector<FramePeriod> periods;
    FrameSign sign = FrameSign::SaysFrame;
    std::uint64_t thread = 0;
    bool isMark = false;
    std::string name;  ///< Common part of their texts.
    std::string why{}; ///< How they were found, of frames that no range or mark tells.

    bool takes(const FrameCandidate &candidate) const;
    /// A sentence about the frames for the notes of an import.
    std::string howFound(const FrameNames &names) const;
};

/// Selects the frames among the candidates: of those with the best sign, the largest group with the same text (ignoring
/// numbers), thread and kind. Ranges that are frames by their name only must cover 5 % of the time. Frame numbers are
/// taken from the texts if they increase, otherwise frames are counted from 0. A frame that overlaps the next one ends
/// where the next one begins. Empty when cancelled; `fraction` is the overall progress to report.
std::optional<FoundFrames> findFrames(std::vector<FrameCandidate> candidates, const Interval &whole, Progress &progress,
                                      double fraction);

/// The same where the time that the trace covers is not known yet: any group is long enough.
inline std::optional<FoundFrames> findFrames(std::vector<FrameCandidate> candidates, std::int64_t lastNs,
                                             Progress &progress, double fraction)
{
    return findFrames(std::move(candidates), Interval{lastNs, lastNs}, progress, fraction);
}

/// Computes the figures of these frames with FrameMetricsBuilder and adds them to the trace. Returns false when
/// cancelled.
bool addFrames(Trace &trace, const std::vector<FramePeriod> &periods, Progress &progress, double from, double to);

} // namespace jetscope
