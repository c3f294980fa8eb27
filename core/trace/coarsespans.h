// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace jetscope {

/// What is known of spans that have not come from a producer elsewhere (Trace::missing): the columns of a stretch of
/// time, by lane and depth. It is shown, and no figure is made of it.
struct CoarseSpans {
    ColumnWindow window;
    std::map<std::pair<LaneId, std::uint8_t>, TrackPicture> tracks;

    std::size_t columns() const { return tracks.size() * static_cast<std::size_t>(window.count); }
};

/// Of spans in any order. Names are those of the spans (NameId).
CoarseSpans coarseSpans(const std::vector<Span> &spans, const ColumnWindow &window);

/// Adds what is known of a track to the columns of a window, which may have another scale.
void addCoarse(const TrackPicture &known, const ColumnWindow &from, const ColumnWindow &to,
               std::vector<TraceColumn> &columns);

/// What came of a trace's missing spans. On the thread of the trace.
class CoarseStore {
public:
    /// In place of what began at the same time. Names are ids of the producer: those of the trace are stored, and the
    /// lanes get rows in it, although nothing of them has come. False: it became too much, and all of it was dropped.
    bool add(CoarseSpans coarse, Trace &trace);
    /// What is known of other times goes: their spans have come.
    void keepWithin(const Intervals &missing);
    void clear();

    const std::map<std::int64_t, CoarseSpans> &all() const { return m_all; } ///< By the start.
    /// Changes whenever anything changes.
    std::uint64_t version() const { return m_version; }

private:
    std::map<std::int64_t, CoarseSpans> m_all;
    std::size_t m_columns = 0;
    std::uint64_t m_version = 0;
};

} // namespace jetscope
