// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/traceselection.h"

#include <algorithm>

namespace jetscope {

std::optional<Interval> TraceSelection::time() const
{
    if (m_range)
        return m_range;
    if (m_frame && m_frame->period.startNs < m_frame->period.endNs)
        return m_frame->period;
    if (m_span) // Span without a frame, as in a trace without frames.
        return Interval{m_span->bar.span.startNs, std::max(m_span->bar.span.endNs(), m_span->bar.span.startNs + 1)};
    return std::nullopt;
}

TraceSelection::Frame TraceSelection::frameAt(std::uint64_t index) const
{
    const FrameFigures figures = m_trace.frames().at(index);
    return {figures.frame, index, {figures.startNs, figures.startNs + figures.periodNs()}};
}

void TraceSelection::selectSpan(const SpanPlace &span)
{
    m_span = span;
    m_lane = m_trace.tracks()[span.track].lane();
    m_depth = m_trace.tracks()[span.track].depth();
    m_frame.reset();
    const TraceSpan &work = span.bar.span;
    const FrameTable &frames = m_trace.frames();
    if (work.frame != kNoFrame) {
        const auto index = frames.find(work.frame);
        m_frame = index ? frameAt(*index) : Frame{work.frame, std::nullopt, {}};
    } else {
        // A span without a frame, such as a wait for the next picture: use the frame whose period contains it.
        const std::int64_t middle = work.startNs + work.durationNs / 2;
        if (const auto [first, last] = frames.range(middle, middle + 1); first < last)
            m_frame = frameAt(first);
    }
    emit changed();
    emit frameChosen();
}

void TraceSelection::selectFrame(std::uint64_t index)
{
    m_span.reset();
    m_frame = frameAt(index);
    emit changed();
    emit frameChosen();
}

bool TraceSelection::stepFrame(int offset, Interval from)
{
    const FrameTable &frames = m_trace.frames();
    if (frames.empty())
        return false;
    if (!m_frame || !m_frame->index) {
        const auto [first, last] = frames.range(from.startNs, from.endNs);
        selectFrame(first < last ? first : frames.endIndex() - 1);
        return true;
    }
    const std::uint64_t index = *m_frame->index;
    if (offset < 0 ? index <= frames.firstIndex() : index + 1 >= frames.endIndex())
        return false;
    selectFrame(offset < 0 ? index - 1 : index + 1);
    return true;
}

void TraceSelection::selectRange(Interval range)
{
    m_range = range;
    emit changed();
}

void TraceSelection::clearRange()
{
    if (!m_range)
        return;
    m_range.reset();
    emit changed();
}

void TraceSelection::clear()
{
    if (isEmpty())
        return;
    m_span.reset();
    m_frame.reset();
    m_range.reset();
    emit changed();
}

/// Late spans may have come before it.
void TraceSelection::followSpan(const SpanTrack &track)
{
    TraceBar &bar = m_span->bar;
    if (bar.index < track.endIndex() && track.at(bar.index).startNs == bar.span.startNs)
        return;
    bar.index = track.firstFrom(bar.span.startNs);
    if (bar.index >= track.endIndex() || track.at(bar.index).startNs != bar.span.startNs)
        m_span.reset();
}

void TraceSelection::traceReshaped()
{
    if (m_span) {
        const auto &tracks = m_trace.tracks();
        const auto found = std::find_if(tracks.begin(), tracks.end(), [this](const SpanTrack &track) {
            return track.lane() == m_lane && track.depth() == m_depth;
        });
        if (found == tracks.end() || (!m_trace.distant() && m_span->bar.index < found->firstIndex()))
            m_span.reset();
        else
            m_span->track = static_cast<std::size_t>(found - tracks.begin());
        if (m_span && !m_trace.distant())
            followSpan(*found);
    }
    if (m_frame && m_trace.distant()) { // Its frames are those in view.
        m_frame->index = m_trace.frames().find(m_frame->key);
        m_frame = m_frame->index ? frameAt(*m_frame->index) : *m_frame;
    }
    if (m_frame && !m_trace.distant() && m_frame->index && *m_frame->index < m_trace.frames().firstIndex())
        m_frame.reset();
    emit changed();
}

} // namespace jetscope
