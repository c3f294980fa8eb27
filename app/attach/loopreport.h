// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/attach/record/attachrecorder.h"
#include "gpu/attach/host/callsites.h"

#include <string>
#include <vector>

namespace jetscope {

/// A loop that may make the frames, in words.
struct LoopRow {
    LoopCandidate candidate;
    std::string at;   ///< "decode (main.cpp:20)"; empty if it is not known.
    std::string site; ///< What --frame site: takes; empty if it is not known.
};

/// Which loops were found, and the time that is of no frame.
struct LoopReport {
    std::vector<LoopRow> rows; ///< Best first, those that come next to nothing left out.
    FrameMargins margins;
    double meanPeriodMs = 0;        ///< Of the frames behind warm-up.
    std::uint64_t warmUpFrames = 0; ///< Frames in no figure; 0 if there are too few to leave some out.
    std::uint64_t frames = 0;       ///< Of the loop that was taken: all figures are of them.
    std::uint64_t allFrames = 0;    ///< Of all loops: what is found is said of them.
};

LoopReport loopReportOf(const AttachRecorder &recorder);
/// Reads the files of the program: call when it is recorded.
void namePlaces(LoopReport &report, CallSites &names);
void addLoops(JsonObject &object, const LoopReport &report);
/// Lines for a terminal.
std::string loopsText(const LoopReport &report);
/// A line above what was found, if that is not said of the frames of the figures; else empty.
std::string foundFramesText(const LoopReport &report);

} // namespace jetscope
