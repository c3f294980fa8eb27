// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "core/recording/span.h"
#include "gpu/gl/glquerytimer.h"
#include "gpu/gputime/worklane.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace jetscope {

class Tracer;

/// Spans of GL commands on the GPU. They are bounds: from the submission of the commands to the moment at which the
/// fence of their frame was seen signalled. Pairs of timer queries would be tighter, but no more certain (what another
/// context does between them is counted, too), and make a frame 2 to 3 % longer on an H100; they are used where pairs
/// of events are chosen for device work. GL has no clock for shaders that other queues share: what NVIDIA's driver
/// offers (GL_ARB_shader_clock) counts the cycles of one multiprocessor. All calls with the context current, on one
/// thread.
class GlTimer {
public:
    /// The tracer outlives it.
    explicit GlTimer(Tracer &tracer);

    /// Nothing is in flight.
    void use(GpuTime source);

    /// Around the submission of one piece of work; pieces do not nest.
    void begin(NameId name, std::uint32_t frame);
    void end();
    /// A fence behind all GL work of this frame was seen signalled at `ns`.
    void completed(std::uint32_t frame, std::int64_t ns);

    /// Records the spans of everything that became known, on the calling thread's recorder.
    void collect();

private:
    Tracer &m_tracer;
    std::unique_ptr<GlQueryTimer> m_queries; ///< Null where bounds are used.
    std::optional<WorkLane> m_bounds;        ///< None where queries are used, or nothing was submitted yet.
    std::vector<Span> m_spans;
};

} // namespace jetscope
