// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/flametree.h"
#include "core/path/toptable.h"
#include "core/path/wheretimes.h"
#include "core/trace/rangestatistics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// What is asked of all spans of a trace that lies elsewhere (DistantSpans).
struct FigureWish {
    enum class Kind : std::uint8_t {
        Nothing,
        Where,
        Top,
        Flame,
        Details,
        Search,
        StepOfRow, ///< The next span of a row of the Top of the time.
        Longer,    ///< The next span of the same name that is longer than the span.
        Beside,    ///< The next span on the track of the span.
        Cause,     ///< What the span, a wait, waited for.
    };
    Kind kind = Kind::Nothing;
    Interval time;
    FlameLanes lanes = FlameLanes::Cpu;
    std::uint32_t row = 0;
    std::optional<std::int64_t> fromNs; ///< Of a step, and of a search without a span.
    std::uint32_t track = 0;            ///< Of the span, as its index.
    std::uint64_t index = 0;
    bool hasSpan = false;
    std::int8_t direction = 1; ///< Of a step or search; 0: only count.
    std::string text;          ///< Of a search, as NameSearch takes it.
    bool wantsList = false;    ///< Of the longest spans found.

    bool operator==(const FigureWish &) const = default;
};

/// The figures of a selection, as RangeStatistics computes them.
struct RangeReport {
    static constexpr std::size_t kBins = 40;
    RangeFigures figures;
    std::vector<NameFigures> names;
    std::vector<DurationHistogram> histograms; ///< Of the names.
    std::uint64_t namesLeftOut = 0;            ///< With the least time.
};

/// What a search has found.
struct SearchReport {
    std::uint64_t count = 0;
    std::int64_t totalNs = 0;
    std::int64_t medianNs = 0;
    std::int64_t p95Ns = 0;
    std::int64_t p99Ns = 0;
    std::int64_t maxNs = 0;
    std::uint64_t position = 0;     ///< Of the span found, among all.
    std::vector<SpanPlace> longest; ///< If they were wished for.
};

/// What a wish was for.
struct FigureAnswer {
    std::optional<WhereTimes> where;
    std::optional<TopTable> top;
    std::optional<FlameTree> flame;
    std::optional<FlameTree> flameReversed;
    std::optional<RangeReport> details;
    std::optional<SearchReport> search;
    std::optional<SpanPlace> span; ///< That was found; none if there is none.
};

/// Answers have at most so many values, the largest, so that they cross a slow link soon.
inline constexpr std::size_t kMostTopRows = 1000;
inline constexpr std::size_t kMostFlameNodes = 4000;
inline constexpr std::size_t kMostNamesOfRange = 500;
inline constexpr std::size_t kMostSearchBytes = 1000;

/// `visit(name)` for each name of an answer; it may be replaced.
template <class Visit>
void eachName(FigureAnswer &answer, Visit visit)
{
    if (answer.where) {
        for (PathTime &part : answer.where->path.parts)
            if (part.like.name != kNoPathName)
                visit(part.like.name);
        for (GpuTimes &gpu : answer.where->gpus)
            for (GpuIdleCause &cause : gpu.idle)
                if (cause.kind == GpuIdleCause::Kind::During)
                    visit(cause.name);
    }
    if (answer.top)
        for (TopRow &row : answer.top->rows)
            visit(row.name);
    for (std::optional<FlameTree> *tree : {&answer.flame, &answer.flameReversed})
        if (*tree)
            (*tree)->eachName(visit);
    if (answer.details)
        for (NameFigures &name : answer.details->names)
            visit(name.name);
    if (answer.search)
        for (SpanPlace &place : answer.search->longest)
            visit(place.bar.span.name);
    if (answer.span)
        visit(answer.span->bar.span.name);
}

} // namespace jetscope
