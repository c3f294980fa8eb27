// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/latencymeter.h"
#include "core/stream/traceupdate.h"
#include "gpu/lab/clockwatcher.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string_view>
#include <variant>

namespace jetscope {

/// The clock in front of a source that has one of its own (pattern:); null for all others.
std::shared_ptr<const ShownTimes> ownClockOf(std::string_view sourceUri);

/// Measures the latency of a pipeline whose camera looks at a clock. One thread, but for the watcher.
class LatencyFeed {
public:
    explicit LatencyFeed(std::shared_ptr<const ShownTimes> clock)
        : m_watcher(std::make_shared<ClockWatcher>()), m_meter(std::move(clock))
    {
    }

    /// To be shown the pipeline's input.
    const std::shared_ptr<ClockWatcher> &watcher() const { return m_watcher; }
    /// What the pipeline did since the last call.
    void take(const TraceUpdate &update);
    /// Only until then is it known what the clock showed, because another machine shows it and tells us later: frames
    /// that arrived after that wait. Without a call everything is known.
    void knowUntil(std::int64_t ns);
    const LatencyMeter &meter() const { return m_meter; }

private:
    struct Finished {
        FrameFigures figures;
        std::uint64_t number = 0;
    };
    void addKnown();
    void add(const FrameSighting &sighting) { m_meter.add(sighting); }
    void add(const Finished &frame) { m_meter.add(frame.figures, frame.number); }

    std::shared_ptr<ClockWatcher> m_watcher;
    LatencyMeter m_meter;
    FrameNumbers m_numbers;
    std::int64_t m_knownUntilNs = std::numeric_limits<std::int64_t>::max();
    std::deque<std::variant<FrameSighting, Finished>> m_waiting; ///< A frame is seen before it is finished.
};

} // namespace jetscope
