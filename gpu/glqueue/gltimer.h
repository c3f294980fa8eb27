// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"
#include "core/settings/choices.h"
#include "gpu/base/pieceorder.h"
#include "gpu/gputime/worklane.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
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

class Tracer;

/// Spans of GL commands on the GPU. They are bounds: from the submission of the commands to the time at which the fence
/// of their frame was seen signalled. Pairs of timer queries would be tighter but not more certain (they include work
/// of other contexts in between), and they make a frame 2 to 3 % longer on an H100. They are used if pairs of events
/// are selected for device work. GL has no clock for shaders that other queues share: the one of NVIDIA's driver
/// (GL_ARB_shader_clock) counts the cycles of one multiprocessor. All calls on one thread with the context current.
class GlTimer {
public:
    /// The tracer must outlive it.
    explicit GlTimer(Tracer &tracer);

    /// Sets the source of GPU time; no work may be in flight.
    void use(GpuTime source);

    /// Call around the submission of one piece of work; pieces do not nest.
    void begin(NameId name, std::uint32_t frame);
    void end();
    /// Reports that a fence after all GL work of this frame was seen signalled at `ns`.
    void completed(std::uint32_t frame, std::int64_t ns);

    /// Records the spans that are known now, on the calling thread's recorder.
    void collect();

private:
    Tracer &m_tracer;
    std::unique_ptr<GlQueryTimer> m_queries; ///< Null if bounds are used.
    std::optional<WorkLane> m_bounds;        ///< Empty if queries are used, or before the first submission.
    std::vector<Span> m_spans;
};

} // namespace jetscope
