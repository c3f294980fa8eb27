// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QMenu>

#include <cstdint>

class QActionGroup;

namespace jetscope {

/// The bounds of the limit that a user may set.
inline constexpr std::uint64_t kFewestMostSpans = 2 * Trace::kSegmentSpans;
inline constexpr std::uint64_t kGreatestMostSpans = 1000 * Trace::kSegmentSpans;

/// What a span takes of the memory in this trace, with its share of frames and counters; what is usual where there are
/// too few to tell.
double bytesPerSpan(const Trace &trace);

/// How many spans the trace keeps, with what they take of the memory. The trace outlives it.
class SpanLimitMenu : public QMenu {
    Q_OBJECT
public:
    SpanLimitMenu(const Trace &trace, QWidget *parent);
    /// Also one that is not among the offered ones.
    void setCurrent(std::uint64_t mostSpans) { m_current = mostSpans; }

signals:
    void chosen(quint64 mostSpans);

private:
    void fill();

    const Trace &m_trace;
    QActionGroup *m_group;
    std::uint64_t m_current = Trace::kDefaultMostSpans;
};

} // namespace jetscope
