// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/gpuidle.h"
#include "core/path/waitcauses.h"
#include "ui/session/figureswork.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace jetscope {

struct TimeScale;

/// The gaps of a GPU as a lane: span i of the track is gap i.
struct IdleLane {
    std::optional<std::uint32_t> gpu; ///< As in GpuTimes.
    SpanTrack track{0, 0};
    std::vector<GpuIdleGap> gaps;
    std::int64_t ns = 0; ///< Of all gaps.

    explicit IdleLane(GpuIdleGaps found);
    /// The gap at a pixel of the lanes, with a tolerance of one pixel at its ends.
    const GpuIdleGap *near(const TimeScale &scale, double x) const;
};

/// What the CPU did in the gap; empty if nothing that was recorded explains it.
std::optional<SpanPlace> causeOf(const Trace &trace, const GpuIdleGap &gap);
/// "27.8 ms: enumerate(DataLoader)"
QString idleText(const Trace &trace, const GpuIdleGap &gap);
/// Rich text.
QString idleTip(const Trace &trace, const GpuIdleGap &gap, std::int64_t rulerOriginNs);

/// The idle lanes of an opened trace, found on a thread of its own. A live trace has none: the causes are looked for in
/// the whole trace. Nor has one whose spans are elsewhere. UI thread; the trace must outlive it.
class IdleLanes : public QObject {
    Q_OBJECT
public:
    using Lanes = std::vector<std::shared_ptr<const IdleLane>>;

    explicit IdleLanes(const Trace &trace, QObject *parent = nullptr) : QObject(parent), m_trace(trace) {}

    const Lanes &lanes() const { return m_lanes; }
    /// The trace was replaced. Not wanted: it is live, or the timeline does not show them.
    void restart(bool wanted);
    /// The trace has grown.
    void refresh();

signals:
    void changed();

private:
    void compute();

    const Trace &m_trace;
    Lanes m_lanes;
    bool m_isWanted = false;
    std::uint64_t m_version = 0; ///< Of the trace that was read.
    QElapsedTimer m_read;        ///< Since it was read.
    qint64 m_tookMs = 0;
    FiguresWork m_work;
};

} // namespace jetscope
