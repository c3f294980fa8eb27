// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "core/recording/span.h"
#include "core/result.h"
#include "gpu/device/device.h"
#include "gpu/device/kernelstamps.h"
#include "gpu/gputime/gputimesource.h"
#include "gpu/gputime/worklane.h"

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

class Tracer;

/// Spans of device work. The pipeline says what it submits and when it saw a frame complete; a GpuTimeSource finds out
/// when each piece ran, frames later, and nothing waits for that. Where the tracer does not record, nothing is
/// measured. Pipeline thread. Device and tracer outlive it.
class GpuTimer final : private KernelObserver {
public:
    /// Begins with bounds, which cost nothing.
    GpuTimer(Device &device, Tracer &tracer);
    ~GpuTimer() override;

    /// Takes another source; nothing is in flight. A source that is asked for by name and cannot be had is an error,
    /// and the present one stays.
    Status use(GpuTime wanted);
    /// What is in use: never Auto.
    GpuTime source() const { return m_source->kind(); }
    /// Why a better source is not in use; empty where there is none.
    const std::string &whyNotBetter() const { return m_whyNotBetter; }

    /// Gives a stream its lane.
    void addStream(Stream &stream, int number);
    void removeStream(const Stream &stream);

    /// Around the submission of one piece of work of a stream. Pieces do not nest.
    Status begin(Stream &stream, NameId name, std::uint32_t frame, std::uint64_t bytes = 0);
    Status end();
    /// For a launch between the two (ChainLaunch::kernels); null where nothing is measured.
    KernelObserver *kernels() { return m_open.stream ? this : nullptr; }

    /// Off: sources that cost time even where nothing is submitted stop, until it is on again.
    void setRecording(bool on) { m_source->setRecording(on); }

    /// All device work of a frame was seen complete, at `ns` or earlier.
    void completed(std::uint32_t frame, std::int64_t ns);

    /// Records the spans of everything that became known, on the calling thread's recorder.
    Status collect();
    /// The same when all work is complete: what is not known by now is recorded as bounds.
    Status finish();

    /// Everything that ended before this host time is recorded.
    std::int64_t resolvedNs() const { return m_resolvedNs; }
    template <class Visit>
    void forEachLane(Visit visit) const
    {
        for (const StreamLane &lane : m_lanes)
            if (lane.stream && lane.work)
                visit(lane.work->lane());
    }
    /// How far the times may be off on the host's clock.
    std::int64_t uncertaintyNs() const { return m_source->uncertaintyNs(); }

private:
    struct StreamLane {
        Stream *stream = nullptr; ///< Null once it was removed: the lane goes when its last span has left.
        int number = 0;
        std::optional<WorkLane> work; ///< From the first piece of work on, so that no lane stays empty.
    };
    /// The piece of work between `begin` and `end`.
    struct OpenWork {
        Stream *stream = nullptr;
        StreamLane *lane = nullptr;
        GpuItem item;                 ///< As `begin` was told, for the items that are made of it.
        GpuItem *submitted = nullptr; ///< The last of them; null before the first.
    };

    void *kernel(NameId name) override;
    GpuItem &submit(NameId name);
    Status endItem();
    void recordSpans();
    LaneId laneOf(int number);

    Device &m_device;
    Tracer &m_tracer;
    std::list<StreamLane> m_lanes;           ///< Its elements do not move: the source points to what lies in them.
    std::unique_ptr<GpuTimeSource> m_source; ///< Destroyed before the lanes.
    std::string m_whyNotBetter;
    OpenWork m_open;
    std::vector<Span> m_spans;
    std::int64_t m_resolvedNs = 0;
};

} // namespace jetscope
