// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "gpu/device/device.h"
#include "gpu/gl/display.h"
#include "gpu/pipeline/pipelinecontrol.h"
#include "gpu/pipeline/view.h"
#include "gpu/sources/framesource.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

class FrameLender;
class InputWatch;
class Tracer;
class ViewMailbox;

/// Raw source frames for the "before" side of the view, copied on the capture thread while wanted.
struct InputPicture {
    std::uint64_t sourceIndex = 0;
    std::uint32_t frame = 0;
    ImageLayout layout;
    std::vector<std::byte> bytes;
};

/// The pictures of a pipeline in this process. Valid as long as its PipelineControl.
class FramePort {
public:
    virtual ViewMailbox &mailbox() = 0;
    virtual Tracer &tracer() = 0;
    /// Finished frames of a pipeline that nobody views here; null where the mailbox has them.
    virtual FrameLender *lender() { return nullptr; }
    /// The native GL context of the pipeline's queue, for a view to share with.
    virtual void *nativeContext() const = 0;

    /// Whether the view shows the "before" picture; costs a copy per frame on the capture thread while on.
    virtual void wantInputPictures(bool wanted) = 0;
    /// The raw input of an output frame if it is among the last few; null when not.
    virtual std::shared_ptr<const InputPicture> inputPicture(std::uint32_t frame) = 0;
    /// Shows it each frame of the present source and of later ones, from now on; null: to nobody any more.
    virtual void watchInput(std::shared_ptr<InputWatch> watch) { static_cast<void>(watch); }
    /// The sources that are open, what is known of their frames, and which of them drives the pipeline.
    virtual std::vector<OpenCamera> cameras() const { return {}; }

protected:
    ~FramePort() = default;
};

class Device;

/// Wraps each device that a pipeline opens: takes the device and returns the one that the pipeline uses instead (see
/// ForwardingDevice). Called on the pipeline thread.
using DeviceDecorator = std::function<std::unique_ptr<Device>(std::unique_ptr<Device>)>;

/// Pixels of the output texture as GL reads them after the hand-over: RGBA8, top row first, unpadded.
/// Called on the GL queue, in frame order, outside the timed spans.
using OutputTap = std::function<void(std::uint32_t frame, const std::byte *rgba, int width, int height)>;

/// Opens the source at an address.
using SourceOpener = std::function<Result<std::unique_ptr<FrameSource>>(const std::string &uri)>;

struct PipelineSetup {
    std::shared_ptr<EglDisplay> display;
    /// The view's native GL context to share textures with; null for none.
    void *shareContext = nullptr;
    std::string deviceId;
    std::unique_ptr<Device> device = nullptr; ///< The device of that id; null: the pipeline opens it.
    DeviceDecorator decorateDevice = nullptr; ///< May be null.
    bool checksHazards = true;                ///< Whether the hazard ledger watches the device.
    std::unique_ptr<FrameSource> source;
    /// Opens sources that are asked for by address. Called on a thread of its own; may take seconds.
    SourceOpener openSource = nullptr; ///< Null: jetscope::openSource at the source's own rate.
    PipelineConfig config;
    std::uint64_t frameLimit = 0; ///< 0: until the source ends.
    /// Settings and the frames at which they take effect, in frame order (applySetting's keys).
    struct ScheduledChange {
        std::uint32_t frame = 0;
        PipelineConfig config;
        std::string source{}; ///< One that is open beside the present one (FrameSource::openBeside); empty: the same.
    };
    std::vector<ScheduledChange> schedule;
    OutputTap outputTap;                             ///< May be null.
    std::unique_ptr<CpuAnalysis> analysis = nullptr; ///< The work of the CPU stage; null for this build's default.
    bool forWindow = false; ///< Publish frames to the view's mailbox instead of drawing them off-screen.
    bool startPaused = false;
    /// The folder below which the kernel's files for load, clocks, temperatures and power are; empty: not read.
    std::string hostFiles = "/";
    bool traced = true;           ///< False: no spans and no figures.
    bool measuresTracing = false; ///< Leaves short stretches untraced to measure the cost of tracing (TraceCostMeter).
};

/// The live pipeline of this process: capture thread, pipeline thread, CPU-stage thread, device and GL queue.
class Pipeline : public PipelineControl, public FramePort {
public:
    /// Creates all resources and starts; blocks until done.
    static Result<std::unique_ptr<Pipeline>> create(PipelineSetup setup);
    FramePort *framePort() final { return this; }
};

} // namespace jetscope
