// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/waitcauses.h"

#include <QObject>

#include <optional>

namespace jetscope {

/// What the user looks at: a span, a frame, a range of time. One for timeline, frames, figures and picture, so that a
/// click in one of them shows everywhere. UI thread; the trace outlives it.
class TraceSelection : public QObject {
    Q_OBJECT
public:
    struct Frame {
        std::uint32_t key = 0; ///< Span::frame.
        /// Place among the trace's frames; none while its figures are not final.
        std::optional<std::uint64_t> index;
        Interval period; ///< Empty without an index.
    };

    explicit TraceSelection(const Trace &trace, QObject *parent = nullptr) : QObject(parent), m_trace(trace) {}

    const std::optional<SpanPlace> &span() const { return m_span; }
    const std::optional<Frame> &frame() const { return m_frame; }
    const std::optional<Interval> &range() const { return m_range; }
    /// What figures are about: the range, else the frame, else the span.
    std::optional<Interval> time() const;
    bool isEmpty() const { return !m_span && !m_frame && !m_range; }

    /// The span, and the frame that it belongs to, or else lies in.
    void selectSpan(const SpanPlace &span);
    /// By its place among the trace's frames.
    void selectFrame(std::uint64_t index);
    /// `offset` frames on from the selected one; from the first that touches `from` when there is none.
    bool stepFrame(int offset, Interval from);
    void selectRange(Interval range);
    void clearRange();
    void clear();
    /// The trace has other tracks, or has forgotten its oldest: keeps what is still there.
    void traceReshaped();

signals:
    void changed();
    /// The user chose this span or frame: `changed` comes as well, and also for ranges and when the trace is reshaped.
    void frameChosen();

private:
    Frame frameAt(std::uint64_t index) const;

    const Trace &m_trace;
    std::optional<SpanPlace> m_span;
    LaneId m_lane = 0; ///< Of the span: its track's place changes when tracks are added.
    std::uint8_t m_depth = 0;
    std::optional<Frame> m_frame;
    std::optional<Interval> m_range;
};

} // namespace jetscope
