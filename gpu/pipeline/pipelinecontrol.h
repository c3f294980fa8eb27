// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/tracecost.h"
#include "core/hazards/hazard.h"
#include "core/settings/devicefacts.h"
#include "core/settings/pipelineconfig.h"
#include "core/stream/traceupdate.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "gpu/paths/streamcounts.h"
#include "gpu/sources/framesource.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

// A pipeline as it is controlled and watched: values only, which can cross a wire. Its pictures cannot: FramePort.

/// The counts of a pipeline since its start.
struct PipelineCounts {
    std::uint64_t dropped = 0; ///< Live frames superseded before the pipeline took them.
    std::uint64_t emulationBytes = 0;
    SourceFaults faults;             ///< Faults of the current source.
    std::uint64_t frames = 0;        ///< Complete outputs.
    std::uint64_t droppedByView = 0; ///< Superseded before they were on the screen.
    std::uint64_t switches = 0;      ///< Changes that took effect; with a switch's notice its own number.
    LossCounts lost{};               ///< All frames of `dropped` and `droppedByView`, by cause.
};

/// An event in the pipeline that the user should see.
struct PipelineNotice {
    enum class Kind {
        Switched,  ///< A change took effect at `frame`; `text` names it ("sync: finish → eglsync").
        Refused,   ///< A change could not be made and the old choice stays; `text` is the reason.
        Violation, ///< An access broke the documented rules (shown as a hazard).
        Ended,     ///< The source ended, or the frame limit was reached; `text` is the reason.
        Failed,    ///< The pipeline stopped; `text` contains the reason and the remedy.
        /// Frames are missing: a live source did not deliver them in time, or the view did not show them; `text`
        /// begins with their number.
        Dropped,
        /// Frames from `frame` on are not traced, to measure the cost of tracing; `text` contains the number.
        Untraced,
        /// The source was disconnected at `timeNs`; `frame` is the first one since, `text` contains reason and
        /// duration.
        Gap,
        Stage,   ///< A stage says how it works; nobody asked for a change, and none was made.
        Machine, ///< Something began or ceased to limit the clocks, or the power mode changed; `frame` is kNoFrame.
    };
    Kind kind = Kind::Switched;
    std::uint32_t frame = 0;
    std::int64_t timeNs = 0;
    std::string text;
    std::string rule; ///< For a violation, "A1"; otherwise empty.
    std::string fix;  ///< For a violation: the smallest change that makes the access legal.
    HazardLevel level = HazardLevel::Error;
    std::string memory{};                ///< For a violation: the memory concerned; may be empty.
    std::optional<HazardAccess> first{}; ///< For a violation: the accesses that conflict, as far as they are known.
    std::optional<HazardAccess> second{};
    bool ofSource = false;          ///< For a switch: the source changed, and no choice of the user.
    bool deviceLost = false;        ///< For a failure: only a new process can use the device again.
    PipelineCounts counts{};        ///< For a switch: the counts up to it.
    std::vector<LostFrames> lost{}; ///< For Dropped: which, and why.
};

/// What happened since the last update.
struct PipelineUpdate : TraceUpdate {
    std::vector<PipelineNotice> notices; ///< Those with a time are marks, too.
    std::vector<CpuAnswer> answers;
};

enum class PipelineState { Idle, Running, Paused, Ended, Failed };

/// A snapshot for status lines. Counts are since the start.
struct PipelineStatus {
    std::int64_t wallClockOffsetNs = 0; ///< Unix time minus the clock of all reported times.
    PipelineState state = PipelineState::Idle;
    PipelineConfig config;
    DeviceFacts facts;
    SourceInfo source;
    SourceState sourceState;
    WaitPolicy waitInForce = WaitPolicy::Auto;
    GpuTime gpuTime = GpuTime::Bounds;  ///< The source in use, never Auto.
    std::int64_t gpuTimeUnseenNs = 0;   ///< How much longer than its span a kernel may have run (GpuTimer::unseenNs).
    std::optional<TraceCost> traceCost; ///< None until known, or if not measured.
    std::string gpuTimeReason;          ///< Why a better source is not in use; empty if there is none.
    std::uint64_t frames = 0;           ///< Complete outputs.
    std::uint64_t droppedBySource = 0;  ///< Live frames superseded before the pipeline took them.
    std::uint64_t droppedByView = 0;    ///< Superseded before they were on the screen.
    std::uint64_t emulationBytes = 0;
    std::uint64_t switches = 0;              ///< Changes that took effect; their notices are not later than this.
    std::optional<StreamCounts> stream;      ///< Of the current output; none without an EGLStream.
    std::optional<StreamCounts> inputStream; ///< Of the input; none without an EGLStream.
    std::size_t liveHandles = 0;             ///< Current streams, events, images and textures of the pipeline.
    std::size_t mappedBytes = 0;             ///< Current device buffers.
    std::string powerMode;                   ///< nvpmodel's: "15W (2)"; empty if unknown.
    LossCounts lost;                         ///< All frames of `droppedBySource` and `droppedByView`, by cause.
    bool inspected = false; ///< Another program (gpu/attach): there is no choice, and no fact of its devices.
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
class Inspection;
class LateSpanSource;
class RemotePictures;

/// Controls a pipeline, here or on another machine. For the owner's thread; only waitForEnd waits.
class PipelineControl {
public:
    /// Drains and stops the pipeline. Waits for that.
    virtual ~PipelineControl() = default;

    /// The outcome is reported as a notice. A command that has not begun yet is replaced by a newer one of its kind.
    virtual void post(PipelineCommand command) = 0;
    /// What happened since the last call; what does not fit into memory until then is lost and counted.
    virtual PipelineUpdate drainUpdates() = 0;
    /// From now on updates are collected on a thread of the pipeline's, and paths are followed there: drainUpdates only
    /// hands over what there is.
    virtual void collectAlone() {}
    /// Gives what nobody has drained yet and all that happens from now on to `sink`, too; first, what the updates
    /// before have told (TraceHead). After collectAlone that happens whether or not somebody drains, on the thread that
    /// collects; else within drainUpdates. Null: to nobody any more. Returns when the former sink has everything up to
    /// now, and will not be called again.
    virtual void setSink(std::shared_ptr<TraceSink> sink) = 0;
    virtual PipelineStatus status() const = 0;
    /// Waits until the state is Ended or Failed.
    virtual void waitForEnd() = 0;
    /// The way to the pictures; null for a pipeline of another process.
    virtual FramePort *framePort() = 0;
    /// The pictures of a pipeline on a board; null for one of this machine.
    virtual std::shared_ptr<RemotePictures> pictures() { return nullptr; }
    /// Spans that a board has not sent; null for a pipeline of this machine.
    virtual LateSpanSource *missing() { return nullptr; }
    /// The inspected program behind it; null for a pipeline of our own.
    virtual Inspection *inspection() { return nullptr; }

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
