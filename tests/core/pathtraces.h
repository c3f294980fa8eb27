// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/tracepaths.h"
#include "core/tracefile/oldlabels.h"
#include "tests/core/pipelinetrace.h"

#include <string>
#include <vector>

namespace jetscope::test {

inline Span namedSpan(LaneId lane, const char *name, Category category, std::int64_t startNs, std::int64_t endNs,
                      std::uint32_t frame, std::uint8_t depth = 0)
{
    Span span = spanOf(lane, category, startNs, endNs, depth);
    span.name = internName(name, category, purposeOfLabel(name, category));
    span.frame = frame;
    return span;
}

inline std::vector<LaneInfo> pathLanes()
{
    return {{kPipeline, kRoles[kPipeline], "Pipeline", "thread"}, {kCpuStage, kRoles[kCpuStage], "CPU stage", "thread"},
            {kStream0, kRoles[kStream0], "CUDA stream 0", "GPU"}, {kStream1, kRoles[kStream1], "CUDA stream 1", "GPU"},
            {kGlQueue, kRoles[kGlQueue], "GL queue", "GPU"},      {kView, kRoles[kView], "View", "thread"},
            {kCapture, kRoles[kCapture], "Capture", "thread"}};
}

inline FrameFigures frameOf(std::uint32_t frame, std::int64_t startNs, std::int64_t periodNs, std::int64_t frameNs)
{
    FrameFigures figures;
    figures.frame = frame;
    figures.startNs = startNs;
    figures.overlap.periodNs = periodNs;
    figures.overlap.idleNs = periodNs;
    figures.frameNs = frameNs;
    return figures;
}

inline Trace pathTrace(std::vector<Span> spans, const std::vector<FrameFigures> &figures)
{
    Trace trace;
    trace.setLanes(pathLanes());
    std::stable_sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.startNs < b.startNs; });
    trace.add(spans);
    trace.add(figures);
    return trace;
}

/// For example "kernel gaussian 0..40", one text per piece, in order.
inline std::string wordsOfPath(const Trace &trace, const std::vector<PathPiece> &pieces)
{
    std::string text;
    for (const PathPiece &piece : pieces)
        text += (text.empty() ? "" : ", ")
            + pathWords(piece.cause, piece.name == kNoPathName ? "" : trace.names().text(piece.name), piece.bounded)
            + " " + std::to_string(piece.startNs) + ".." + std::to_string(piece.endNs);
    return text;
}

/// The path of the frame at this index.
inline std::string pathOf(const Trace &trace, std::uint64_t index)
{
    std::vector<PathPiece> pieces;
    TracePaths(trace).follow(index, index + 1, pieces);
    return wordsOfPath(trace, pieces);
}

/// Whether the pieces cover the time of the frame without gap or overlap.
inline bool divides(const std::vector<PathPiece> &pieces, const PathFrame &frame)
{
    std::int64_t at = frame.time.startNs;
    for (const PathPiece &piece : pieces) {
        if (piece.frame != frame.frame)
            continue;
        if (piece.startNs != at || piece.endNs <= piece.startNs)
            return false;
        at = piece.endNs;
    }
    return at == frame.time.endNs;
}

} // namespace jetscope::test
