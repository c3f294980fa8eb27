// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/windowpicture.h"
#include "core/remote/wire/corefields.h"
#include "core/remote/wire/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

// The contents of messages about a capture of the board that is looked at without being fetched. A connection has one
// such view; another one replaces it.

/// Limits of one wish, for both ends: nobody's screen is larger.
inline constexpr int kMostViewColumns = 16'384;
inline constexpr std::size_t kMostViewCells = 1 << 19; ///< Columns times tracks and counters.

/// From the laptop.
struct OpenView {
    static constexpr MessageKind kKind = MessageKind::OpenView;
    std::uint32_t id = 0;
    std::string path; ///< Of the board; relative to the home folder. Empty: the view is closed.
};

struct AskView {
    static constexpr MessageKind kKind = MessageKind::AskView;
    std::uint32_t id = 0;
    std::uint32_t ask = 0;
    std::uint32_t drops = 0; ///< Earlier asks that are below this and not answered yet need no answer any more.
    WindowWish wish;
};
/// Whether a wish is within the limits.
bool isPossibleWish(const WindowWish &wish);

/// A trace without its spans, as it is shown.
struct ViewFacts {
    std::string device;
    std::string source;
    std::string program;
    std::int64_t wallClockOffsetNs = 0;
    std::optional<PipelineConfig> config;
    std::vector<LaneInfo> lanes;
    std::vector<std::pair<LaneId, std::uint8_t>> tracks; ///< Lane and depth, in the order of the trace.
    std::vector<CounterInfo> counters;
    std::vector<std::optional<std::pair<double, double>>> extremes; ///< Of the counters.
    std::vector<TraceMark> marks;                                   ///< The newest kMostViewMarks.
    std::vector<TraceNote> notes;
    std::vector<std::string> remarks; ///< What the reader of the file said.
    DistantWhole whole;
    std::uint64_t fileBytes = 0;
    std::string file; ///< Its path on the board.
    std::string mark; ///< Another one for each state of the file.
};
inline constexpr std::size_t kMostViewMarks = 2000;

ViewFacts viewFacts(const Trace &trace, const std::vector<std::string> &remarks);
/// The trace of a laptop that has these facts; none if they cannot be.
std::optional<Trace> traceOf(const ViewFacts &facts);

/// From the board: how far it is, and at the end what it opened, or why not. An error may also come later.
struct ViewHead {
    static constexpr MessageKind kKind = MessageKind::ViewHead;
    std::uint32_t id = 0;
    double fraction = 0;
    std::optional<Error> error;
    std::optional<ViewFacts> facts;
};

/// Answers an ask, each once.
struct ViewPart {
    static constexpr MessageKind kKind = MessageKind::ViewPart;
    std::uint32_t id = 0;
    std::uint32_t ask = 0;
    bool isDropped = false; ///< It was not wanted any more: there is nothing else in it.
    /// Those of the picture that were not said before; numbers of the board.
    std::vector<std::pair<std::uint32_t, SpanName>> names;
    bool isNear = false;
    std::vector<PathPiece> path;
    std::vector<FrameFigures> frames;
    std::vector<FrameNumber> numbers;
    std::vector<std::pair<LaneId, double>> uncertainties;
    std::vector<std::byte> columns; ///< packColumns

    static ViewPart of(const WindowPicture &picture);
    static ViewPart dropped(std::uint32_t id, std::uint32_t ask);
    /// None if that cannot be an answer to the wish. Names are those of the board.
    std::optional<WindowPicture> picture(const WindowWish &wish) const;
};

/// From the board, once, when it has read all spans: a byte for each load and each part of a column's frames.
struct ViewWhole {
    static constexpr MessageKind kKind = MessageKind::ViewWhole;
    std::uint32_t id = 0;
    std::int64_t startNs = 0;
    std::int64_t partNs = 0;
    std::vector<std::uint8_t> loads;  ///< Three a part: CPU, GPU, both.
    std::vector<std::uint8_t> frames; ///< Four a column: whether there are frames, CPU, GPU, both.

    static ViewWhole of(const WholePicture &whole);
    /// None if it cannot be.
    std::optional<WholePicture> picture() const;
};

void fields(Wire &wire, OpenView &open);
void fields(Wire &wire, AskView &ask);
void fields(Wire &wire, ViewFacts &facts);
void fields(Wire &wire, ViewHead &head);
void fields(Wire &wire, ViewPart &part);
void fields(Wire &wire, ViewWhole &whole);

} // namespace jetscope
