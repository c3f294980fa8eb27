// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/countertrack.h"
#include "core/trace/spantrack.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

class Trace;
struct BusyPiece;
struct FigureAnswer;
struct FigureWish;
struct WholePicture;
struct WindowPicture;

/// What is asked of one window of time.
struct WindowWish {
    ColumnWindow window;
    double nsPerPixel = 1;             ///< A pixel may have several columns.
    std::vector<std::uint32_t> tracks; ///< Indices of the trace's tracks and counters.
    std::vector<std::uint32_t> counters;
};

/// Who asks for figures that need all spans. Each has one wish at a time.
enum class FigureSeat : std::uint8_t { Step, Cause, Search, Details, Panel };

/// Of a wish for figures: how far it is, and at the end the answer.
using FigureListener = std::function<void(double fraction, const FigureAnswer *answer)>;

/// The spans of a trace that lie elsewhere, such as in a file of a board: the trace here has only lanes, names and
/// limits, and what is shown of it is asked for, window by window. On the thread of the trace.
class DistantSpans {
public:
    virtual ~DistantSpans() = default;

    /// What has come of a window, perhaps not yet all; null if nothing has. Valid until the next call of another
    /// function.
    virtual const WindowPicture *find(const ColumnWindow &window) = 0;
    /// What can be told of it from pictures of other scales; coarse, and never all.
    virtual WindowPicture guess(const ColumnWindow &window) const = 0;
    /// Of the whole trace; null until it has come.
    virtual const WholePicture *whole() const = 0;
    /// What is shown, and what may be shown next, each the most urgent first. Replaces what was wanted before.
    virtual void want(std::vector<WindowWish> shown, std::vector<WindowWish> next) = 0;
    /// In place of what this seat wished for before, which is not answered any more. The listener is called by
    /// takeInto.
    virtual void ask(FigureSeat seat, const FigureWish &wish, FigureListener listener) = 0;
    /// Gives the trace the names and frames that have come. False if nothing has.
    virtual bool takeInto(Trace &trace) = 0;
    /// A span that has come at the scale that is shown, at a time or so near to it; the nearest.
    virtual std::optional<TraceBar> barAt(std::uint32_t track, std::int64_t ns, std::int64_t reachNs) const = 0;
    /// The next (+1) or previous (-1) of those.
    virtual std::optional<TraceBar> barBeside(std::uint32_t track, std::int64_t startNs, int direction) const = 0;
    /// When CPU and GPU were busy within a time, as far as it has come and is near enough to be known.
    virtual std::vector<BusyPiece> piecesWithin(std::int64_t startNs, std::int64_t endNs) const = 0;
    /// What a counter was at a time, by the columns that have come at the scale that is shown.
    virtual std::optional<CounterColumn> counterAt(std::uint32_t counter, std::int64_t ns) const = 0;
    /// Where they lie, for the user: "on orin-lab-3".
    virtual std::string place() const = 0;
    /// How large the whole is.
    virtual std::uint64_t bytes() const = 0;
    /// Why nothing more comes, in a sentence; empty while it does.
    virtual std::string trouble() const = 0;

protected:
    DistantSpans() = default;
    DistantSpans(const DistantSpans &) = default;
    DistantSpans &operator=(const DistantSpans &) = default;
};

/// What a trace is in all, whose spans are distant.
struct DistantWhole {
    std::int64_t oldestNs = 0;
    std::int64_t newestNs = 0;
    std::uint64_t spans = 0;
    std::uint64_t frames = 0;
};

} // namespace jetscope
