// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "core/figures/framemetricsbuilder.h"
#include "core/path/pathsummary.h"
#include "core/pipelineconfig.h"
#include "core/recording/span.h"
#include "core/recording/tracecost.h"
#include "core/trace/countertrack.h"
#include "core/trace/framenumbers.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "gpu/paths/streamcounts.h"
#include "gpu/sources/framesource.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

// A pipeline as it is controlled and watched: values only, which can cross a wire. Its pictures cannot: FramePort.

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
    std::vector<SpanName>
        names; ///< All names so far, by NameId: ids of another process mean nothing here without them.
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
    std::uint64_t spansLost = 0; ///< Since the start.
};

enum class PipelineState { Idle, Running, Paused, Ended, Failed };

/// A snapshot for status lines. Counts are since the start.
struct PipelineStatus {
    std::int64_t wallClockOffsetNs = 0; ///< Unix time minus the clock of all times that the pipeline reports.
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

/// What the owner asks of a pipeline.
struct PipelineCommand {
    enum class Kind : std::uint8_t {
        ChangeConfig, ///< To `config`.
        ChangeDevice, ///< To the device `address`, with `config` as far as the device has it.
        ChangeSource, ///< To the source at `address`, which the pipeline opens while the present one goes on.
        SetPaused,    ///< To `on`.
        Step,         ///< While paused: one more frame.
    };
    Kind kind = Kind::Step;
    PipelineConfig config{};
    std::string address{};
    bool on = false;
};

class FramePort;

/// Controls a pipeline, here or on another machine. For the owner's thread; only waitForEnd waits.
class PipelineControl {
public:
    /// Drains and stops the pipeline. Waits for that.
    virtual ~PipelineControl() = default;

    /// The outcome is reported as a notice. A command that has not begun yet is replaced by a newer one of its kind.
    virtual void post(PipelineCommand command) = 0;
    /// What happened since the last call.
    virtual PipelineUpdate drainUpdates() = 0;
    virtual PipelineStatus status() const = 0;
    /// Waits until the state is Ended or Failed.
    virtual void waitForEnd() = 0;
    /// The way to the pictures; null for a pipeline of another process.
    virtual FramePort *framePort() = 0;

    void change(PipelineConfig config) { post({PipelineCommand::Kind::ChangeConfig, std::move(config)}); }
    void changeDevice(std::string deviceId, PipelineConfig config)
    {
        post({PipelineCommand::Kind::ChangeDevice, std::move(config), std::move(deviceId)});
    }
    void changeSource(std::string uri) { post({PipelineCommand::Kind::ChangeSource, {}, std::move(uri)}); }
    void setPaused(bool paused) { post({PipelineCommand::Kind::SetPaused, {}, {}, paused}); }
    void step() { post({PipelineCommand::Kind::Step}); }

protected:
    PipelineControl() = default;
    PipelineControl(const PipelineControl &) = delete;
    PipelineControl &operator=(const PipelineControl &) = delete;
};

} // namespace jetscope
