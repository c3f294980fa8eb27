// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"
#include "gpu/base/pieceorder.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace jetscope {

class Tracer;
struct GlTimerApi;

/// Spans of GL commands on the GPU, from pairs of timer queries. They are read several frames later without waiting. An
/// anchor, renewed about every second, maps GPU time to host time. All calls on one thread with the context current.
class GlQueryTimer {
public:
    /// Null if the driver cannot time commands (no EXT_disjoint_timer_query, or a counter of 0 bits), or if the tracer
    /// does not record.
    static std::unique_ptr<GlQueryTimer> create(Tracer &tracer);
    ~GlQueryTimer();
    GlQueryTimer(const GlQueryTimer &) = delete;
    GlQueryTimer &operator=(const GlQueryTimer &) = delete;

    /// Starts the timing of one piece of work; pairs do not nest.
    void begin(NameId name, std::uint32_t frame);
    void end();

    /// Records the spans of all finished work on the calling thread's recorder.
    void collect();

private:
    struct Pair {
        NameId name = 0;
        std::uint32_t frame = 0;
        unsigned begin = 0;
        unsigned end = 0; ///< 0 until the pair is complete.
    };

    GlQueryTimer(const GlTimerApi &api, LaneId lane);
    unsigned stamp();
    bool renewAnchor();
    void record(const Pair &pair);
    void discardAll();

    const GlTimerApi &m_api;
    const LaneId m_lane;
    std::deque<Pair> m_pairs;
    std::vector<unsigned> m_freeQueries;
    std::int64_t m_anchorHostNs = 0;
    std::int64_t m_anchorGpuNs = 0;
    PieceOrder m_order;
};

} // namespace jetscope
