// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/latencymeter.h"
#include "core/stream/traceupdate.h"
#include "gpu/lab/clockwatcher.h"

#include <memory>
#include <string_view>

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
    const LatencyMeter &meter() const { return m_meter; }

private:
    std::shared_ptr<ClockWatcher> m_watcher;
    LatencyMeter m_meter;
    FrameNumbers m_numbers;
};

} // namespace jetscope
