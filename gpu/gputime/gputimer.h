// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"
#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/base/kernelstamps.h"
#include "gpu/device/device.h"
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

/// Spans of device work. The pipeline reports submissions and completed frames; a GpuTimeSource determines when each
/// piece ran, several frames later and without waiting. Nothing is measured if the tracer does not record. Pipeline
/// thread. Device and tracer must outlive it.
class GpuTimer final : private KernelObserver {
public:
    /// Starts with bounds, which cost nothing.
    GpuTimer(Device &device, Tracer &tracer);
    ~GpuTimer() override;

    /// Switches to another source; no work may be in flight. If an explicitly requested source is not available,
    /// returns an error and keeps the current one.
    Status use(GpuTime wanted);
    /// The source in use: never Auto.
    GpuTime source() const { return m_source->kind(); }
    /// Why a better source is not in use; empty if there is no better one.
    const std::string &reason() const { return m_reason; }

    /// Assigns a lane to a stream.
    void addStream(Stream &stream, int number);
    /// No work of the stream may be pending.
    void removeStream(const Stream &stream);

    /// Call around the submission of one piece of work of a stream. Pieces do not nest; one whose submission fails need
    /// not end.
    Status begin(Stream &stream, NameId name, std::uint32_t frame);
    /// The same for a piece that is one copy; `bytes` of the picture, without padding.
    Status beginCopy(Stream &stream, NameId name, std::uint32_t frame, std::uint64_t bytes, CopyKind kind);
    Status end();
    /// Around work that is one piece whatever it consists of: pieces that begin and end within it are none.
    Status beginWhole(Stream &stream, NameId name, std::uint32_t frame);
    Status endWhole();
    /// For a launch between begin() and end() (ChainLaunch::kernels); null if nothing is measured.
    KernelObserver *kernels() { return m_open.stream && !m_isWhole ? this : nullptr; }

    /// If off, pauses sources that cost time even without submissions.
    void setRecording(bool on) { m_source->setRecording(on); }

    /// Reports that all device work of a frame was complete at `ns` or earlier.
    void completed(std::uint32_t frame, std::int64_t ns);

    /// Records the spans that are known now, on the calling thread's recorder.
    Status collect();
    /// The same when all work is complete, or will never be, as after a failure: pieces without times are recorded as
    /// bounds, also where it returns an error.
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
    /// The maximum error of the times on the host's clock.
    std::int64_t uncertaintyNs() const { return m_source->uncertaintyNs(); }
    /// How much longer than its span a kernel may have run; a bounded span behind it covers that.
    std::int64_t unseenNs() const { return m_source->unseenNs(); }

private:
    struct StreamLane {
        Stream *stream = nullptr; ///< Null after removeStream(); the lane is removed after its last span.
        int number = 0;
        std::optional<WorkLane> work; ///< Created with the first piece of work, so that no lane stays empty.
    };
    /// The piece of work between `begin` and `end`.
    struct OpenWork {
        Stream *stream = nullptr;
        StreamLane *lane = nullptr;
        GpuItem item;               ///< The arguments of `begin`, for the items of this piece.
        GpuItem *pending = nullptr; ///< The last item, until it ends: later, it may become a span at any time.
        bool hasItems = false;
    };

    Status begin(Stream &stream, const GpuItem &item);
    void *kernel(NameId name) override;
    void copy(NameId name, std::uint64_t bytes) override;
    void unknownKernels(NameId name) override;
    void abandon();
    GpuItem &submit(NameId name);
    Status submitCopy(NameId name, std::uint64_t bytes);
    void leaveUntimed(GpuItem &item);
    Status endItem();
    void recordSpans();
    LaneId laneOf(int number);

    Device &m_device;
    Tracer &m_tracer;
    std::list<StreamLane> m_lanes; ///< A list keeps its elements in place: the source holds pointers into them.
    std::unique_ptr<GpuTimeSource> m_source; ///< Destroyed before the lanes.
    std::string m_reason;
    OpenWork m_open;
    bool m_isWhole = false; ///< The open piece has no parts.
    std::vector<Span> m_spans;
    std::int64_t m_resolvedNs = 0;
};

} // namespace jetscope
