// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"

#include <QObject>

#include <optional>

namespace jetscope {

/// The user's selection: a span, a frame, a time range. Shared by timeline, frames, figures and picture, so that a
/// click in one of them affects all. UI thread; the trace must outlive it.
class TraceSelection : public QObject {
    Q_OBJECT
public:
    struct Frame {
        std::uint32_t key = 0; ///< Span::frame.
        /// Index among the trace's frames; empty while its figures are not final, or not in view (Trace::distant).
        std::optional<std::uint64_t> index;
        Interval period; ///< Empty while it was never known.
    };

    explicit TraceSelection(const Trace &trace, QObject *parent = nullptr) : QObject(parent), m_trace(trace) {}

    const std::optional<SpanPlace> &span() const { return m_span; }
    const std::optional<Frame> &frame() const { return m_frame; }
    const std::optional<Interval> &range() const { return m_range; }
    /// Interval for figures: the range, else the frame, else the span.
    std::optional<Interval> time() const;
    bool isEmpty() const { return !m_span && !m_frame && !m_range; }

    /// Selects a span and its frame, or the frame whose period contains it.
    void selectSpan(const SpanPlace &span);
    /// By index among the trace's frames.
    void selectFrame(std::uint64_t index);
    /// Moves to the frame before (-1) or after (+1) the selected one; without one, to the first that touches `from`.
    /// False at the end.
    bool stepFrame(int offset, Interval from);
    void selectRange(Interval range);
    void clearRange();
    void clear();
    /// Tracks were added or the oldest data was discarded: keeps what still exists.
    void traceReshaped();

signals:
    void changed();
    /// The user chose a span or frame. `changed` is emitted as well, and also for ranges and when the trace is
    /// reshaped.
    void frameChosen();

private:
    Frame frameAt(std::uint64_t index) const;
    void followSpan(const SpanTrack &track);

    const Trace &m_trace;
    std::optional<SpanPlace> m_span;
    LaneId m_lane = 0; ///< Lane of the span: its track index changes when tracks are added.
    std::uint8_t m_depth = 0;
    std::optional<Frame> m_frame;
    std::optional<Interval> m_range;
};

} // namespace jetscope
