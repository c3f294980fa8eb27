// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QMenu>

#include <cstdint>

class QActionGroup;

namespace jetscope {

/// Range of the limit that a user may set.
inline constexpr std::uint64_t kSmallestMaxSpans = 2 * Trace::kSegmentSpans;
inline constexpr std::uint64_t kLargestMaxSpans = 1000 * Trace::kSegmentSpans;

/// Memory per span in this trace, including its share of frames and counters; a typical value for short traces.
double bytesPerSpan(const Trace &trace);

/// Menu for the limit of spans, with the memory that each limit needs. The trace must outlive it.
class SpanLimitMenu : public QMenu {
    Q_OBJECT
public:
    SpanLimitMenu(const Trace &trace, QWidget *parent);
    /// Whose memory is told.
    void setTrace(const Trace &trace) { m_trace = &trace; }
    /// May be a value that the menu does not offer by default.
    void setCurrent(std::uint64_t mostSpans) { m_current = mostSpans; }

signals:
    void chosen(quint64 mostSpans);

private:
    void fill();

    const Trace *m_trace;
    QActionGroup *m_group;
    std::uint64_t m_current = Trace::kDefaultMaxSpans;
};

} // namespace jetscope
