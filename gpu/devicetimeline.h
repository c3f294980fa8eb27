// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/span.h"
#include "gpu/device.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace jetscope {

class Tracer;

/// Spans of device work from pairs of events, read frames later and never waited for. Device time is mapped to host time by an anchor: an
/// event recorded on an idle stream of its own about every second, whose host time is known to within the time between its
/// recording and the first sight of its completion. Where the tracer does not record, nothing is measured. Pipeline thread.
class DeviceTimeline {
public:
    static Result<std::unique_ptr<DeviceTimeline>> create(Device &device, Tracer &tracer);

    /// Gives a stream its lane.
    void addStream(const Stream &stream, int number);
    void removeStream(const Stream &stream);

    /// Around one piece of work of a stream. Pairs of one stream do not nest.
    Status begin(Stream &stream, NameId name, std::uint32_t frame, std::uint64_t bytes = 0);
    Status end(Stream &stream);

    /// Records the spans of all finished work on the calling thread's recorder and renews the anchor when it is old.
    Status collect();

    /// Everything that ended before this host time is recorded.
    std::int64_t resolvedNs() const { return m_resolvedNs; }
    template <class Visit>
    void forEachLane(Visit visit) const
    {
        for (const auto &[stream, state] : m_lanes)
            visit(state.lane);
    }
    /// How far the latest anchor's host time may be off.
    std::int64_t uncertaintyNs() const { return m_anchor ? m_anchor->uncertaintyNs : 0; }

private:
    struct Anchor {
        std::unique_ptr<Event> event;
        std::int64_t hostNs = 0;
        std::int64_t uncertaintyNs = 0;
    };
    struct Pair {
        LaneId lane = 0;
        NameId name = 0;
        std::uint32_t frame = 0;
        std::uint64_t bytes = 0;
        std::unique_ptr<Event> begin;
        std::unique_ptr<Event> end;
        std::shared_ptr<Anchor> anchor; ///< The latest when the pair was recorded: events are measured from an earlier one.
        bool closed = false;
    };
    struct LaneState {
        LaneId lane = 0;
        std::deque<Pair> pairs;     ///< In stream order.
        std::int64_t lastEndNs = 0; ///< A span's start is clamped to the end of the one before it.
    };

    DeviceTimeline(Device &device, Tracer &tracer);
    Status renewAnchor();
    Result<std::unique_ptr<Event>> takeEvent();
    Status record(LaneState &state, Pair &pair);

    Device &m_device;
    Tracer &m_tracer;
    std::unique_ptr<Stream> m_anchorStream;
    std::shared_ptr<Anchor> m_anchor;
    std::map<const Stream *, LaneState> m_lanes;
    std::vector<std::unique_ptr<Event>> m_freeEvents;
    std::int64_t m_resolvedNs = 0;
};

} // namespace jetscope
