// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/workkind.h"
#include "core/trace/spancursor.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace jetscope {

/// Calls `take(lane, first, last)` for each lane that has spans and a description, until it returns false: the tracks
/// of the lane are [first, last) of the trace's, outermost first. Returns false if `take` did.
template <class Take>
bool eachLane(const Trace &trace, Take take)
{
    const std::vector<SpanTrack> &tracks = trace.tracks();
    for (std::size_t first = 0; first < tracks.size();) {
        std::size_t last = first + 1;
        while (last < tracks.size() && tracks[last].lane() == tracks[first].lane())
            ++last;
        const LaneInfo *lane = trace.lane(tracks[first].lane());
        if (lane && !take(*lane, first, last))
            return false;
        first = last;
    }
    return true;
}

/// Adds an interval that does not begin before the last one; joins it where they touch.
inline void appendTo(Intervals &covered, Interval added)
{
    if (added.startNs >= added.endNs)
        return;
    if (!covered.empty() && added.startNs <= covered.back().endNs)
        covered.back().endNs = std::max(covered.back().endNs, added.endNs);
    else
        covered.push_back(added);
}

/// What the deeper spans of a lane cover. Asked for the spans of the next depth, it grows by them.
class CoveredTime {
public:
    /// How much of `span` is covered. Spans must be in order and apart from each other.
    std::int64_t within(Interval span)
    {
        while (m_at < m_deeper.size() && m_deeper[m_at].endNs <= span.startNs)
            appendTo(m_all, m_deeper[m_at++]);
        std::int64_t ns = 0;
        for (std::size_t i = m_at; i < m_deeper.size() && m_deeper[i].startNs < span.endNs; ++i) {
            const Interval &piece = m_deeper[i];
            ns += std::min(piece.endNs, span.endNs) - std::max(piece.startNs, span.startNs);
            appendTo(m_all, {piece.startNs, std::min(piece.endNs, span.startNs)});
            m_at += piece.endNs <= span.endNs ? 1 : 0;
        }
        appendTo(m_all, span);
        return ns;
    }
    /// All spans of this depth were asked for.
    void leaveDepth()
    {
        for (; m_at < m_deeper.size(); ++m_at)
            appendTo(m_all, m_deeper[m_at]);
        std::swap(m_deeper, m_all);
        m_all.clear();
        m_at = 0;
    }

private:
    Intervals m_deeper;
    Intervals m_all; ///< The deeper spans and those of this depth.
    std::size_t m_at = 0;
};

/// Calls `take(name, wholeNs, ownNs)` for the spans of a lane that overlap a time, until it returns false: the time
/// within, and what of it no deeper span covers. The own times of a lane whose spans nest (nestsSpans) add up to the
/// time in which it has any; on other lanes they are the whole times. The tracks are [first, last), as eachLane says.
/// Returns false if `take` did.
template <class Take>
bool eachOwnTime(const Trace &trace, std::size_t first, std::size_t last, bool nests, Interval time, Take take)
{
    CoveredTime covered;
    for (std::size_t i = last; i-- > first;) {
        for (SpanCursor span(trace.tracks()[i], time); !span.atEnd(); span.next()) {
            const Interval part{std::max(span->startNs, time.startNs), std::min(span->endNs(), time.endNs)};
            const std::int64_t wholeNs = part.endNs - part.startNs;
            if (!take(span->name, wholeNs, nests ? wholeNs - covered.within(part) : wholeNs))
                return false;
        }
        covered.leaveDepth();
    }
    return true;
}

} // namespace jetscope
