// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/figurewish.h"
#include "core/path/namesearch.h"

#include <memory>
#include <optional>

namespace jetscope {

/// Computes what wishes ask of a trace, one after the other, with the functions that a window with the trace uses. It
/// remembers the last table and the last search, so that their next step is quick. The trace must outlive it and not
/// change. Not for threads that must not block.
class FigureReader {
public:
    explicit FigureReader(const Trace &trace) : m_trace(trace), m_search(trace) {}

    /// Of a wish whose span may not be in this trace. Empty when cancelled.
    std::optional<FigureAnswer> read(const FigureWish &wish, Progress &progress);

private:
    using Answer = std::optional<FigureAnswer>;
    Answer where(const FigureWish &wish, Progress &progress) const;
    Answer top(const FigureWish &wish, Progress &progress);
    Answer flame(const FigureWish &wish, Progress &progress) const;
    Answer details(const FigureWish &wish, Progress &progress) const;
    Answer search(const FigureWish &wish, Progress &progress);
    Answer step(const FigureWish &wish, Progress &progress);
    template <class Find>
    Answer ofSpan(const FigureWish &wish, Find find) const;
    bool makeTable(Interval time, Progress &progress);
    std::optional<SpanPlace> spanOf(const FigureWish &wish) const;

    const Trace &m_trace;
    std::optional<TopTable> m_table; ///< With all rows.
    NameSearch m_search;
    std::string m_searched;
};

} // namespace jetscope
