// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framemetricsbuilder.h"
#include "core/path/pathsummary.h"
#include "core/pipelineconfig.h"
#include "core/recording/span.h"
#include "core/recording/tracecost.h"
#include "core/trace/countertrack.h"
#include "core/trace/framenumbers.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "gpu/device/devicedecorator.h"
#include "gpu/gl/display.h"
#include "gpu/paths/streamcounts.h"
#include "gpu/pipeline/view.h"
#include "gpu/sources/framesource.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// What a pipeline has counted since its start.
struct PipelineCounts {
    std::uint64_t dropped = 0; ///< Live frames superseded before the pipeline took them.
    std::uint64_t emulationBytes = 0;
    SourceFaults faults;             ///< Of the source in use.
    std::uint64_t frames = 0;        ///< Outputs complete.
    std::uint64_t droppedByView = 0; ///< Superseded before they were on the screen.
};

/// Something that happened in the pipeline and that the user should see.
struct PipelineNotice {
    enum class Kind {
        Switched,  ///< A change took effect at `frame`; `text` says which ("sync: finish → eglsync").
        Refused,   ///< A change could not be made; the old choice stays; `text` says why.
        Violation, ///< An access broke the documented rules (shown as a hazard).
        Ended,     ///< The source ended, or the frame limit was reached; `text` says which.
        Failed,    ///< The pipeline stopped; `text` says why and what to do.
        Dropped,   ///< Frames were superseded: by a live source before the pipeline took them, or in the view; `text`
                   ///< says how many.
        Untraced,  ///< Frames from `frame` on are not traced, to measure what tracing costs; `text` says how many.
        Gap, ///< The source was away from `timeNs` on; `frame` is the first one since, `text` says why and how long.
    };
    Kind kind = Kind::Switched;
    std::uint32_t frame = 0;
    std::int64_t timeNs = 0;
    std::string text;
    std::string rule;        ///< Of a violation, "A1"; else empty.
    std::string fix;         ///< Of a violation: the smallest change that makes the access legal.
    bool deviceLost = false; ///< Of a failure: only a new process can use the device again.
    PipelineCounts counts{}; ///< Of a switch: until then.
};

/// What has happened since the last look: values only, so that threads share nothing.
struct PipelineUpdate {
    std::vector<Span> spans;
    std::vector<LaneInfo> lanes; ///< All lanes so far, in order of their ids.
    std::vector<FrameFigures> figures;
    std::vector<FrameNumber> numbers; ///< The one in force before, and the changes.
    std::vector<PathPiece>
        path; ///< Of whole frames, in order; some frames later than their figures. Names are NameIds.
    std::vector<PathGain> pathGains; ///< What could be gained at most in stretches of those frames.
    std::vector<PipelineNotice> notices;
    std::vector<CpuAnswer> answers;
    std::vector<CounterInfo> counters; ///< All counters so far; they are only ever added.
    std::vector<CounterSample> samples;
    std::uint64_t spansLost = 0;   ///< Since the start.
    std::uint64_t missedSpans = 0; ///< Since the start: in no figure of a frame (FrameMetricsBuilder::missedSpans).
};

enum class PipelineState { Idle, Running, Paused, Ended, Failed };

/// A snapshot for status lines. Counts are since the start.
struct PipelineStatus {
    PipelineState state = PipelineState::Idle;
    PipelineConfig config;
    DeviceFacts facts;
    SourceInfo source;
    SourceState sourceState;
    WaitPolicy waitInForce = WaitPolicy::Auto;
    GpuTime gpuTime = GpuTime::Bounds;  ///< The source in use, never Auto.
    std::optional<TraceCost> traceCost; ///< None until it is known, or when it is not measured.
    std::string gpuTimeReason;          ///< Why a better source is not in use; empty where there is none.
    std::uint64_t frames = 0;           ///< Outputs complete.
    std::uint64_t droppedBySource = 0;  ///< Live frames superseded before the pipeline took them.
    std::uint64_t droppedByView = 0;    ///< Superseded before they were on the screen.
    std::uint64_t emulationBytes = 0;
    std::optional<StreamCounts> stream;      ///< Of the output in use; none without an EGLStream.
    std::optional<StreamCounts> inputStream; ///< Of the way from the source; none without an EGLStream there.
    std::size_t liveHandles = 0;             ///< Streams, events, images, textures of the pipeline now.
    std::size_t mappedBytes = 0;             ///< Of device buffers now.
};

/// Pixels of the output texture as GL reads them after the hand-over: RGBA8, top row first, unpadded.
/// Called on the GL queue, in frame order, outside the timed spans.
using OutputTap = std::function<void(std::uint32_t frame, const std::byte *rgba, int width, int height)>;

/// Raw source frames for the "before" side of the view, copied on the capture thread while wanted.
struct InputPicture {
    std::uint64_t sourceIndex = 0;
    std::uint32_t frame = 0;
    ImageLayout layout;
    std::vector<std::byte> bytes;
};

struct PipelineSetup {
    std::shared_ptr<EglDisplay> display;
    /// Native GL context of the view to share textures with; null without one.
    void *shareContext = nullptr;
    std::string deviceId;
    DeviceDecorator decorateDevice = nullptr; ///< Null for none.
    std::unique_ptr<FrameSource> source;
    PipelineConfig config;
    std::uint64_t frameLimit = 0; ///< 0: until the source ends.
    /// Settings that take effect at their frame, in order of frames (applySetting's keys).
    struct ScheduledChange {
        std::uint32_t frame = 0;
        PipelineConfig config;
    };
    std::vector<ScheduledChange> schedule;
    OutputTap outputTap;                             ///< Null for none.
    std::unique_ptr<CpuAnalysis> analysis = nullptr; ///< What the CPU stage does; null for this build's own.
    bool forWindow = false; ///< Publish frames to the view's mailbox instead of drawing them off-screen.
    bool startPaused = false;
    /// Below which folder the kernel tells of load, clocks, temperatures and power; empty: do not look.
    std::string hostFiles = "/";
    bool traced = true;           ///< False: no spans and no figures.
    bool measuresTracing = false; ///< Leaves short stretches untraced, to measure what tracing costs (TraceCostMeter).
};

/// The live pipeline: capture thread, pipeline thread, CPU-stage thread, device and GL queue. All calls are for
/// the owner's thread; none waits for the GPU, the camera or the pipeline unless it says so.
class Pipeline {
public:
    /// Builds every part and starts. Waits for that.
    static Result<std::unique_ptr<Pipeline>> create(PipelineSetup setup);

    /// Drains and stops. Waits for that.
    virtual ~Pipeline() = default;

    /// Posts a change; the outcome comes as a notice. A change not yet begun is replaced by a newer one.
    virtual void change(PipelineConfig config) = 0;
    virtual void changeDevice(std::string deviceId, PipelineConfig config) = 0;
    virtual void changeSource(std::unique_ptr<FrameSource> source) = 0;
    virtual void setPaused(bool paused) = 0;
    /// While paused: one more frame.
    virtual void step() = 0;

    virtual PipelineUpdate drainUpdates() = 0;
    virtual PipelineStatus status() const = 0;

    virtual ViewMailbox &mailbox() = 0;
    virtual Tracer &tracer() = 0;
    /// The native GL context of the pipeline's queue, for a view to share with.
    virtual void *nativeContext() const = 0;

    /// Whether the view shows the "before" picture; costs a copy per frame on the capture thread while on.
    virtual void wantInputPictures(bool wanted) = 0;
    /// The raw input of an output frame if it is among the last few; null when not.
    virtual std::shared_ptr<const InputPicture> inputPicture(std::uint32_t frame) = 0;

    /// Waits until the state is Ended or Failed.
    virtual void waitForEnd() = 0;
};

} // namespace jetscope
