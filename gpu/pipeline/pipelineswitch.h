// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/besideload.h"
#include "gpu/pipeline/cpustagethread.h"
#include "gpu/pipeline/currentsource.h"
#include "gpu/pipeline/framerunner.h"
#include "gpu/pipeline/framesink.h"
#include "gpu/pipeline/pipeline.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Changes what a pipeline is made of while it runs: drains, builds the new resources beside the old ones, swaps them.
/// What cannot be built leaves everything as it was, with the reason. Pipeline thread.
class PipelineSwitch {
public:
    /// What is switched. All of it outlives the switch.
    struct Stage {
        const PipelineSetup &setup;
        Tracer &tracer;
        GlQueue &queue;
        FrameSink &sink;
        CpuStageThread *cpuStage; ///< Null in a build without CPU work.
        FrameRunner &runner;
        CurrentSource &source;
        WakeEvent &wakeEvent;
    };
    explicit PipelineSwitch(const Stage &stage) : m_stage(stage) {}

    struct Outcome {
        enum class Kind { Unchanged, Made, Refused };
        Kind kind = Kind::Unchanged;
        std::string text;    ///< Of Made: the change ("sync: finish → eglsync"); of Refused also the reason.
        std::string refusal; ///< Of Made: what could not be made of it; empty when nothing.
        bool ofSource = false;
    };

    /// Builds the first resources and starts the source.
    Status start(std::unique_ptr<FrameSource> source, std::shared_ptr<DeviceContext> deviceContext, bool paused);
    /// To new settings, and another device if there is an id. `failed`: the present resources cannot be used any more.
    Result<Outcome> to(PipelineConfig config, std::optional<std::string> deviceId, bool failed);
    Result<Outcome> toSource(std::unique_ptr<FrameSource> source, bool failed, bool paused);
    /// Destroys former resources that neither a captured frame nor the view uses any more.
    void pruneRetired();

private:
    /// What a source requires of the resources.
    struct SourceNeeds {
        ImageLayout layout;
        Result<ExternalBufferView> externalBuffers;
        bool throughStream = false;
        std::size_t buffers = 0;
    };
    template <class Source>
    static SourceNeeds needsOf(const Source &source, std::size_t buffers)
    {
        return {source.info().layout, source.externalBuffers(), source.info().throughStream, buffers};
    }
    SourceNeeds needsOfCurrent() const;
    void tryExternalBuffers(FrameSource &source, Device &device);
    Result<std::unique_ptr<PipelineResources>> build(const PipelineConfig &config, const SourceNeeds &source,
                                                     std::shared_ptr<DeviceContext> deviceContext);
    /// Why the device, the source or this build does not allow the configuration; empty when they do.
    std::string reasonAgainst(const PipelineConfig &config, const DeviceFacts &facts) const;
    Result<std::string> replaceResources(const PipelineConfig &config, const std::shared_ptr<DeviceContext> &context,
                                         bool failed);
    void endFailed(const std::shared_ptr<DeviceContext> &next);
    /// Starts and ends loads beside the pipeline. The reason why the load cannot be had; empty if it runs.
    std::string runBeside(Beside load, const DeviceFacts &facts);
    /// Times device and GL work by another source, while nothing is in flight.
    std::string timeBy(GpuTime source);
    /// Swaps in resources that were built; nothing is in flight.
    void adopt(std::unique_ptr<PipelineResources> resources, const PipelineConfig &config, bool failed);

    const Stage m_stage;
    /// Resources whose memory a captured frame or the view still uses.
    std::vector<std::unique_ptr<PipelineResources>> m_retired;
    std::uint32_t m_generation = 0;
    std::unique_ptr<BesideLoad> m_beside; ///< Null for none.
};

} // namespace jetscope
