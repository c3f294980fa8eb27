// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/overlap.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
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
};

/// Whether a text says that it is about a frame: "frame", "Frame #12", "process frame 3".
bool namesFrame(std::string_view text);

/// The text without the number at its end, and the number.
std::string_view withoutNumber(std::string_view text);

/// The frames among the candidates: the largest group of equal text (numbers aside), thread and kind. Numbered as their
/// texts say if those rise, else from 0 on. Where a frame begins before the last one ends, that one ends there.
std::vector<FramePeriod> framePeriods(std::vector<FrameCandidate> candidates, std::int64_t lastNs);

/// The same for a trace whose ranges are spans: those that name a frame, else such marks.
std::vector<FramePeriod> framePeriods(const Trace &trace);

/// Gives the trace the figures of these frames, as FrameAccountant makes them. False when it was cancelled.
bool addFrames(Trace &trace, const std::vector<FramePeriod> &periods, Progress &progress, double from, double to);

} // namespace jetscope
