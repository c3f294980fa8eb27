// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/durationdistribution.h"
#include "core/trace/waitcauses.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// Finds the spans whose name contains a text. Counts them in small steps, so that the thread that asks never waits;
/// the next one is found at once, whatever was counted. One thread; the trace outlives it.
class NameSearch {
public:
    explicit NameSearch(const Trace &trace) : m_trace(trace) {}

    /// Starts over. Upper and lower case are the same; an empty text finds nothing.
    void setText(const QString &text);
    const QString &text() const { return m_text; }

    /// Counts about `mostSpans` more; true once all are counted.
    bool advance(std::uint64_t mostSpans);
    /// Of those counted so far. What the trace forgets is counted no more.
    std::uint64_t count() const { return m_durations.count(); }
    const DurationDistribution &durations() const { return m_durations; }

    /// The first that begins behind (+1) or before (-1) a time on any lane.
    std::optional<SpanPlace> next(std::int64_t fromNs, int direction) const;
    /// How many of those counted begin at or before a time: the place of one among them.
    std::uint64_t countUntil(std::int64_t ns) const;

    bool matches(TraceName name) const;

private:
    static constexpr std::uint64_t kBlock = 4096;

    /// How many of a track's spans match, by blocks of kBlock indices.
    struct Counted {
        std::uint64_t from = 0; ///< Index of the first block's first span; a multiple of kBlock.
        std::uint64_t next = 0; ///< Counted up to here.
        std::vector<std::uint16_t> blocks;
    };

    void restart();
    template <class Take>
    std::uint64_t countBlock(std::size_t track, std::uint64_t first, std::uint64_t last, Take take) const;
    std::optional<std::uint64_t> nextInTrack(std::size_t track, std::int64_t fromNs, int direction) const;
    bool isEmptyBlock(std::size_t track, std::uint64_t index) const;

    const Trace &m_trace;
    QString m_text;
    mutable std::vector<signed char> m_known; ///< By name: 1 matches, 0 does not, -1 not looked at.
    std::vector<Counted> m_counted;
    DurationDistribution m_durations;
    std::uint64_t m_shape = 0;
    std::uint64_t m_forgotten = 0; ///< Spans of the trace.
};

} // namespace jetscope
